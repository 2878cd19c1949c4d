/* Reads a compiled file's index, and checks its parts; `tvmfuse/format/record.py` is what writes it.
 *
 * parts    each at a multiple of 64 bytes: libraries, weights, code for a GPU
 * index    JSON: the header, where the parts lie
 * footer   version, bytes before the index, bytes of it, checksum of all before the index, 16 zeros,
 *          checksum of the index and these, magic
 *
 * The header lists builds, one for each target, and for each of them its parts, a library first; some
 * may belong to several.
 *
 * Integers are little-endian, as are the processors that compiled models are for.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 7, STATED_BYTES = 44, FOOTER_BYTES = 60, MAGIC_BYTES = 8 };
static const char magic[] = "tvmfuse\n", bundle_magic[] = "TVMFUSEB", graph_magic[] = "TVMFUSEG";
static const char elf[] = "\177ELF";

typedef struct {
  uint32_t version;
  uint64_t contents, index, checksum;
} Footer;

tvmfuse_status tvmf_read_file(const char *path, Bytes *file) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return tvmf_fail(TVMFUSE_CANNOT_READ, "cannot read %s: %m", path);
  struct stat status;
  tvmfuse_status done = TVMFUSE_OK;
  if (fstat(descriptor, &status))
    done = tvmf_fail(TVMFUSE_CANNOT_READ, "cannot read %s: %m", path);
  else if (!S_ISREG(status.st_mode))
    done = tvmf_fail(TVMFUSE_CANNOT_READ, "cannot read %s: it is no file", path);
  else if (status.st_size == 0)
    done = tvmf_fail(TVMFUSE_DAMAGED, "%s is empty", path);
  if (!done) {
    size_t size = (size_t)status.st_size;
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED)
      done = tvmf_fail(errno == ENOMEM ? TVMFUSE_OUT_OF_MEMORY : TVMFUSE_CANNOT_READ,
                       "cannot map %s into memory: %m", path);
    else
      *file = (Bytes){data, size, MAPPED};
  }
  close(descriptor);
  return done;
}

tvmfuse_status tvmf_take_memory(const void *data, size_t size, Bytes *file) {
  if (tvmf_is_aligned(data)) {
    *file = (Bytes){data, size, OTHERS};
    return TVMFUSE_OK;
  }
  void *copy = tvmf_allocate(size);
  if (!copy) return tvmf_no_memory();
  memcpy(copy, data, size);
  *file = (Bytes){copy, size, COPIED};
  return TVMFUSE_OK;
}

static tvmfuse_status not_whole(const Bytes *file, const char *name) {
  bool has_head = file->size >= MAGIC_BYTES;
  if (has_head && !memcmp(file->data, bundle_magic, MAGIC_BYTES))
    return tvmf_fail(TVMFUSE_INCOMPATIBLE,
                     "%s is a bundle of parts, which C cannot run; load it with Python", name);
  if (has_head && !memcmp(file->data, graph_magic, MAGIC_BYTES))
    return tvmf_fail(TVMFUSE_INCOMPATIBLE,
                     "%s is an optimized graph and no compiled model: compile it", name);
  bool is_library = has_head && !memcmp(file->data, elf, sizeof elf - 1);
  return tvmf_fail(TVMFUSE_DAMAGED, "%s (%zu bytes) does not end as a compiled model does: %s", name,
                   file->size,
                   is_library ? "it is truncated, something was appended to it, or tvmfuse did not "
                                "write it"
                              : "tvmfuse did not write it");
}

static tvmfuse_status altered(const char *name) {
  return tvmf_fail(TVMFUSE_DAMAGED,
                   "%s was altered after it was written: its checksum does not fit; copy it again",
                   name);
}

static tvmfuse_status malformed(const char *name, const char *why) {
  return tvmf_fail(TVMFUSE_DAMAGED, "%s says of itself what tvmfuse does not write: %s", name, why);
}

static tvmfuse_status other_version(const char *name, uint32_t version) {
  return tvmf_fail(TVMFUSE_INCOMPATIBLE,
                   "%s is in format %u, and this library reads format %d: compile the model again, or "
                   "take the tvmfuse that wrote it",
                   name, version, VERSION);
}

/* Returns whether the parts lie one behind the other, to the end of the contents. */
static bool read_places(Record *record, Node list) {
  const Json *json = &record->index;
  uint64_t end = 0;
  int32_t count = 0;
  for (Node e = tvmf_json_first(json, list); e; e = tvmf_json_next(json, list, e)) {
    Node first = e->kind == '[' ? tvmf_json_first(json, e) : NULL;
    int64_t offset, size;
    if (!first || tvmf_json_length(json, e) != 2 || !tvmf_json_integer(json, first, &offset) ||
        !tvmf_json_integer(json, tvmf_json_next(json, e, first), &size))
      return false;
    uint64_t begin = (end + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
    if (offset < 0 || size < 0 || (uint64_t)offset != begin || begin > record->contents_size ||
        (uint64_t)size > record->contents_size - begin)
      return false;
    end = begin + (uint64_t)size;
    record->parts[count++] = (Place){begin, (uint64_t)size};
  }
  record->part_count = count;
  return end == record->contents_size;
}

static tvmfuse_status read_index(Record *record, const char *name, const Footer *footer) {
  Json *json = &record->index;
  const char *text = (const char *)record->file.data + footer->contents;
  if (!tvmf_json_read(json, text, (size_t)footer->index))
    return malformed(name, "its index is no JSON, or takes more memory than there is");
  Node places = tvmf_json_member(json, json->nodes, "payloads", '[');
  Node header = tvmf_json_member(json, json->nodes, "header", '{');
  record->builds = header ? tvmf_json_member(json, header, "builds", '[') : NULL;
  if (!places || !record->builds) return malformed(name, "its index lacks a part");
  record->parts = calloc((size_t)tvmf_json_length(json, places) + 1, sizeof *record->parts);
  if (!record->parts) return tvmf_no_memory();
  if (!read_places(record, places))
    return malformed(name, "its parts do not lie one behind the other");
  return TVMFUSE_OK;
}

/* Takes one of the record's builds; its parts are the record's places from then on. */
tvmfuse_status tvmf_take_build(Record *record, Node build, const char *name) {
  const Json *json = &record->index;
  Node list = tvmf_json_member(json, build, "payloads", '[');
  if (!list) return malformed(name, "a build without parts");
  record->build = build;
  record->place_count = 0;
  record->places = calloc((size_t)tvmf_json_length(json, list) + 1, sizeof *record->places);
  if (!record->places) return tvmf_no_memory();
  for (Node e = tvmf_json_first(json, list); e; e = tvmf_json_next(json, list, e)) {
    int64_t part;
    if (!tvmf_json_integer(json, e, &part) || part < 0 || part >= record->part_count)
      return malformed(name, "a build of parts that are not there");
    record->places[record->place_count++] = record->parts[part];
  }
  const Place *library = record->places;
  if (!record->place_count || library->size < sizeof elf ||
      memcmp(record->file.data + library->offset, elf, sizeof elf - 1))
    return malformed(name, "its first part is no library");
  return TVMFUSE_OK;
}

/* Takes over the file, also on failure: `tvmf_free_record`. */
tvmfuse_status tvmf_read_record(Bytes file, const char *name, Record *record) {
  *record = (Record){.file = file};
  if (file.size < FOOTER_BYTES) return not_whole(&file, name);
  const uint8_t *end = file.data + file.size, *stated = end - FOOTER_BYTES;
  if (memcmp(end - MAGIC_BYTES, magic, MAGIC_BYTES)) return not_whole(&file, name);
  Footer footer;
  memcpy(&footer.version, stated, 4);
  memcpy(&footer.contents, stated + 4, 8);
  memcpy(&footer.index, stated + 12, 8);
  memcpy(&footer.checksum, stated + 20, 8);
  if (footer.version > VERSION) return other_version(name, footer.version);
  uint64_t before = file.size - FOOTER_BYTES, of_index;
  if (footer.contents > before || footer.index != before - footer.contents) return altered(name);
  if (!footer.version) return altered(name); /* no format has the number 0 */
  if (footer.version != VERSION) return other_version(name, footer.version);
  memcpy(&of_index, stated + STATED_BYTES, sizeof of_index);
  if (tvmf_checksum(file.data + footer.contents, (size_t)footer.index + STATED_BYTES) != of_index)
    return altered(name);
  record->contents_size = footer.contents;
  record->checksum = footer.checksum;
  return read_index(record, name, &footer);
}

/* Checks all that stands before the index against its checksum. */
tvmfuse_status tvmf_check_contents(const Record *record, const char *name) {
  uint64_t found = tvmf_checksum(record->file.data, (size_t)record->contents_size);
  return found == record->checksum ? TVMFUSE_OK : altered(name);
}

void tvmf_free_record(Record *record) {
  tvmf_json_free(&record->index);
  free(record->parts);
  free(record->places);
  if (record->file.owner == MAPPED) munmap((void *)record->file.data, record->file.size);
  if (record->file.owner == COPIED) free((void *)record->file.data);
  *record = (Record){0};
}
