/* EPContext nodes: whose they are, and the compiled file of one.
 *
 * Their attributes are those of onnxruntime's document, "EP Context Cache Feature Design": with an
 * `embed_mode` of 1, `ep_cache_context` is the file; with 0, its path from the model's folder. */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 }; /* bytes: a file in memory that begins at a multiple is not copied again */

/* --- Attributes ----------------------------------------------------------------------------- */

/* Returns an attribute; NULL where the node has none of that name. */
static const OrtOpAttr *attribute(const OrtNode *node, const char *name) {
  const OrtOpAttr *found = NULL;
  OrtStatus *failed = ort->Node_GetAttributeByName(node, name, &found);
  if (!failed) return found;
  ort->ReleaseStatus(failed);
  return NULL;
}

/* Reads a text, which may be bytes, and puts a 0 behind it. One that is not there is empty. */
static OrtStatus *read_text(const OrtNode *node, const char *name, char **text, size_t *size) {
  const OrtOpAttr *found = attribute(node, name);
  *size = 0;
  OrtStatus *failed = found ? ort->ReadOpAttr(found, ORT_OP_ATTR_STRING, NULL, 0, size) : NULL;
  if (failed && !*size) return failed;
  if (failed) ort->ReleaseStatus(failed); /* it says how much memory it takes */
  *text = aligned_alloc(ALIGNMENT, (*size / ALIGNMENT + 1) * ALIGNMENT);
  if (!*text) return plugin_no_memory();
  (*text)[*size] = 0;
  failed = *size ? ort->ReadOpAttr(found, ORT_OP_ATTR_STRING, *text, *size, size) : NULL;
  if (failed) free(*text);
  return failed;
}

static OrtStatus *is_embedded(const OrtNode *node, bool *embedded) {
  int64_t mode = 1; /* the operator's default */
  size_t size;
  const OrtOpAttr *found = attribute(node, "embed_mode");
  if (found) TRY(ort->ReadOpAttr(found, ORT_OP_ATTR_INT, &mode, sizeof mode, &size));
  *embedded = mode != 0;
  return NULL;
}

/* Returns whether a node is an EPContext that tvmfuse made. */
OrtStatus *plugin_is_ours(const OrtNode *node, bool *ours) {
  const char *type, *domain;
  TRY(ort->Node_GetOperatorType(node, &type));
  TRY(ort->Node_GetDomain(node, &domain));
  *ours = false;
  if (strcmp(type, "EPContext") || strcmp(domain, "com.microsoft")) return NULL;
  char *source;
  size_t size;
  TRY(read_text(node, "source", &source, &size));
  *ours = !strcmp(source, "tvmfuse");
  free(source);
  return NULL;
}

/* --- Files ---------------------------------------------------------------------------------- */

/* Returns whether a path cannot lead out of the folder that it begins in. */
static bool stays_inside(const char *path) {
  if (*path == '/') return false;
  for (const char *part = path; part; part = strchr(part, '/')) {
    part += *part == '/';
    if (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/')) return false;
  }
  return true;
}

/* Finds the path of a file that lies beside the model, to be freed. */
static OrtStatus *find_file(const Provider *provider, const OrtGraph *graph, const char *file,
                            char **path) {
  if (!stays_inside(file))
    return plugin_fail(ORT_INVALID_GRAPH,
                       "ep_cache_context: expected a path in the model's folder, found '%s'", file);
  const char *model;
  TRY(ort->Graph_GetModelPath(graph, &model));
  if (!*model) model = provider->context_path;
  if (!model)
    return plugin_fail(ORT_INVALID_ARGUMENT,
                       "'%s' lies beside a model that was loaded from memory: say by the session's "
                       "entry ep.context_file_path where the model would be, or compile it with "
                       "--embed",
                       file);
  const char *slash = strrchr(model, '/');
  int folder = slash ? (int)(slash - model) + 1 : 0;
  return asprintf(path, "%.*s%s", folder, model, file) < 0 ? plugin_no_memory() : NULL;
}

static OrtStatus *open_file(const Provider *provider, const OrtGraph *graph, const char *file,
                            const tvmfuse_options *options, Context *context) {
  char *path;
  TRY(find_file(provider, graph, file, &path));
  OrtStatus *failed = plugin_failed(tvmfuse_open(path, options, &context->model));
  free(path);
  return failed;
}

/* Opens the compiled file of a node of ours; `plugin_close` ends it. */
OrtStatus *plugin_open(const Provider *provider, const OrtGraph *graph, const OrtNode *node,
                       Context *context) {
  tvmfuse_options options = TVMFUSE_OPTIONS;
  options.threads = provider->threads;
  *context = (Context){0};
  bool embedded;
  char *text;
  size_t size;
  TRY(is_embedded(node, &embedded));
  TRY(read_text(node, "ep_cache_context", &text, &size));
  OrtStatus *failed;
  if (!size) {
    failed = plugin_fail(ORT_INVALID_GRAPH, "an EPContext node of tvmfuse has no ep_cache_context");
  } else if (embedded) {
    failed = plugin_failed(tvmfuse_open_memory(text, size, &options, &context->model));
  } else {
    failed = open_file(provider, graph, text, &options, context);
  }
  if (embedded && !failed)
    context->embedded = text;
  else
    free(text);
  return failed;
}

void plugin_close(Context *context) {
  tvmfuse_close(context->model);
  free(context->embedded);
}
