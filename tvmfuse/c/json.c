/* Reads JSON from memory that need not end with a zero. No recursion: depth is bounded. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 512, FIRST_ROOM = 256 };

/* Where the reader is. */
typedef struct {
  const char *text;
  uint32_t at, size;
} Cursor;

static char peek(const Cursor *c) { return c->at < c->size ? c->text[c->at] : 0; }

static void skip_spaces(Cursor *c) {
  while (c->at < c->size && strchr(" \t\n\r", c->text[c->at]) && c->text[c->at]) c->at++;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  c |= 0x20; /* to lower case */
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool pass_digits(Cursor *c) {
  uint32_t begin = c->at;
  while (is_digit(peek(c))) c->at++;
  return c->at > begin;
}

static bool pass_number(Cursor *c) {
  if (peek(c) == '-') c->at++;
  if (peek(c) == '0')
    c->at++;
  else if (!pass_digits(c))
    return false;
  if (peek(c) == '.') {
    c->at++;
    if (!pass_digits(c)) return false;
  }
  if (peek(c) == 'e' || peek(c) == 'E') {
    c->at++;
    if (peek(c) == '+' || peek(c) == '-') c->at++;
    if (!pass_digits(c)) return false;
  }
  return true;
}

static bool pass_escape(Cursor *c) {
  char escaped = peek(c);
  c->at++;
  if (escaped != 'u') return escaped && strchr("\"\\/bfnrt", escaped);
  for (int i = 0; i < 4; i++, c->at++)
    if (hex_digit(peek(c)) < 0) return false;
  return true;
}

/* Passes the rest of a character in UTF-8 (RFC 3629); returns whether it is one. */
static bool pass_character(Cursor *c, unsigned char first) {
  if (first < 0x80) return true;
  if (first < 0xc0) return false;
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  int more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  uint32_t code = first & (0x7f >> more);
  for (int i = 0; i < more; i++, c->at++) {
    unsigned char next = (unsigned char)peek(c);
    if ((next & 0xc0) != 0x80) return false;
    code = code << 6 | (next & 0x3f);
  }
  bool is_surrogate = code >= 0xd800 && code < 0xe000;
  return code >= least[more] && code < 0x110000 && !is_surrogate;
}

static bool pass_string(Cursor *c) {
  for (c->at++; c->at < c->size;) {
    unsigned char found = (unsigned char)c->text[c->at++];
    if (found == '"') return true;
    if (found < ' ') return false;
    if (!(found == '\\' ? pass_escape(c) : pass_character(c, found))) return false;
  }
  return false;
}

static bool pass_word(Cursor *c, const char *word) {
  size_t length = strlen(word);
  if (c->size - c->at < length || memcmp(c->text + c->at, word, length)) return false;
  c->at += (uint32_t)length;
  return true;
}

/* Adds the node of what begins here. */
static bool add(Json *json, const Cursor *c, char kind) {
  if (json->count == json->room) {
    uint32_t room = json->room ? 2 * json->room : FIRST_ROOM;
    JsonNode *nodes = realloc(json->nodes, room * sizeof *nodes);
    if (!nodes) return false;
    json->nodes = nodes;
    json->room = room;
  }
  json->nodes[json->count++] = (JsonNode){c->at, 0, 0, kind};
  return true;
}

static void end(Json *json, const Cursor *c, uint32_t node) {
  json->nodes[node].end = c->at;
  json->nodes[node].after = json->count;
}

static bool read_scalar(Json *json, Cursor *c) {
  char begins = peek(c);
  uint32_t node = json->count;
  bool is_number = begins == '-' || is_digit(begins);
  if (!begins || !add(json, c, is_number ? '0' : begins)) return false;
  bool good = is_number       ? pass_number(c)
              : begins == '"' ? pass_string(c)
              : begins == 't' ? pass_word(c, "true")
              : begins == 'f' ? pass_word(c, "false")
                              : pass_word(c, "null");
  end(json, c, node);
  return good;
}

/* Reads a member's name and the colon. */
static bool read_key(Json *json, Cursor *c) {
  skip_spaces(c);
  if (peek(c) != '"' || !read_scalar(json, c)) return false;
  skip_spaces(c);
  return peek(c) == ':' && ++c->at;
}

static bool read(Json *json, Cursor *c) {
  uint32_t open[DEEPEST]; /* the containers that are not closed yet */
  int depth = 0;
  for (;;) {
    skip_spaces(c);
    char begins = peek(c);
    if (begins == '{' || begins == '[') {
      if (depth == DEEPEST) return false;
      open[depth++] = json->count;
      if (!add(json, c, begins)) return false;
      c->at++;
      skip_spaces(c);
      if (peek(c) != (begins == '{' ? '}' : ']')) {
        if (begins == '{' && !read_key(json, c)) return false;
        continue;
      }
    } else if (!read_scalar(json, c)) {
      return false;
    }
    for (;;) { /* what follows a value */
      skip_spaces(c);
      if (!depth) return c->at == c->size;
      bool in_object = json->nodes[open[depth - 1]].kind == '{';
      char found = peek(c);
      c->at++;
      if (found == ',') {
        if (in_object && !read_key(json, c)) return false;
        break;
      }
      if (found != (in_object ? '}' : ']')) return false;
      end(json, c, open[--depth]);
    }
  }
}

/* Returns whether the text is JSON, and there is memory for its nodes. It has to stay. */
bool tvmf_json_read(Json *json, const char *text, size_t size) {
  *json = (Json){.text = text};
  if (size >= UINT32_MAX / 2) return false;
  Cursor cursor = {text, 0, (uint32_t)size};
  if (read(json, &cursor)) return true;
  tvmf_json_free(json);
  return false;
}

void tvmf_json_free(Json *json) {
  free(json->nodes);
  *json = (Json){0};
}

/* Returns the first element of a list, or the first key of an object; NULL where there is none. */
Node tvmf_json_first(const Json *json, Node list) {
  if (!list) return NULL;
  return json->nodes + list->after > list + 1 ? list + 1 : NULL;
}

/* Returns the element, or the key or value, behind another one. */
Node tvmf_json_next(const Json *json, Node list, Node element) {
  return element->after < list->after ? json->nodes + element->after : NULL;
}

int32_t tvmf_json_length(const Json *json, Node list) {
  int32_t length = 0;
  for (Node e = tvmf_json_first(json, list); e; e = tvmf_json_next(json, list, e)) length++;
  return length;
}

/* Returns an object's value of this kind; NULL where there is none. Of several, the last counts. */
Node tvmf_json_member(const Json *json, Node object, const char *key, char kind) {
  if (!object || object->kind != '{') return NULL;
  Node found = NULL;
  for (Node k = tvmf_json_first(json, object); k; k = tvmf_json_next(json, object, k + 1))
    if (tvmf_json_is(json, k, key)) found = k + 1;
  return found && found->kind == kind ? found : NULL;
}

/* Returns whether a node is a whole number that 64 bits hold. */
bool tvmf_json_integer(const Json *json, Node node, int64_t *value) {
  if (!node || node->kind != '0') return false;
  const char *p = json->text + node->begin, *stop = json->text + node->end;
  bool negative = *p == '-';
  *value = 0;
  for (p += negative; p < stop; p++) {
    if (!is_digit(*p) || __builtin_mul_overflow(*value, 10, value)) return false;
    int digit = *p - '0';
    if (__builtin_add_overflow(*value, negative ? -digit : digit, value)) return false;
  }
  return true;
}

static uint32_t code_unit(const char *digits) {
  uint32_t unit = 0;
  for (int i = 0; i < 4; i++) unit = unit << 4 | (uint32_t)hex_digit(digits[i]);
  return unit;
}

static char *put_utf8(char *out, uint32_t code) {
  if (code < 0x80) {
    *out++ = (char)code;
    return out;
  }
  int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const uint8_t heads[] = {0, 0xc0, 0xe0, 0xf0};
  *out++ = (char)(heads[more] | code >> 6 * more);
  while (more--) *out++ = (char)(0x80 | (code >> 6 * more & 0x3f));
  return out;
}

/* Returns a string's text in UTF-8, to be freed; half a surrogate pair, and a zero, become U+FFFD.
 * NULL where the node is no string, or without memory. */
char *tvmf_json_string(const Json *json, Node node) {
  if (!node || node->kind != '"') return NULL;
  const char *p = json->text + node->begin + 1, *stop = json->text + node->end - 1;
  char *text = malloc((size_t)(stop - p) + 1), *out = text; /* no escape is shorter than its text */
  if (!text) return NULL;
  while (p < stop) {
    if (*p != '\\') {
      *out++ = *p++;
      continue;
    }
    char kind = p[1];
    p += 2;
    if (kind != 'u') {
      static const char letters[] = "bfnrt", means[] = "\b\f\n\r\t";
      const char *found = strchr(letters, kind);
      *out++ = found ? means[found - letters] : kind;
      continue;
    }
    uint32_t code = code_unit(p);
    p += 4;
    bool is_high = code >= 0xd800 && code < 0xdc00;
    if (is_high && stop - p >= 6 && p[0] == '\\' && p[1] == 'u') {
      uint32_t low = code_unit(p + 2);
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        p += 6;
      }
    }
    out = put_utf8(out, !code || (code >= 0xd800 && code < 0xe000) ? 0xfffd : code);
  }
  *out = 0;
  return text;
}

/* Returns whether a node is a string of this text. */
bool tvmf_json_is(const Json *json, Node node, const char *text) {
  if (!node || node->kind != '"') return false;
  const char *written = json->text + node->begin + 1;
  size_t length = node->end - node->begin - 2;
  if (!memchr(written, '\\', length))
    return strlen(text) == length && !memcmp(written, text, length);
  char *own = tvmf_json_string(json, node);
  bool same = own && !strcmp(own, text);
  free(own);
  return same;
}
