/* What onnxruntime finds in this library: a factory of providers, one for each session. */
#include "plugin.h"

#include <stdlib.h>

const OrtApi *ort;
const OrtEpApi *ort_ep;

static const char *name(const OrtEpFactory *factory) {
  (void)factory;
  return PROVIDER;
}

static const char *vendor(const OrtEpFactory *factory) {
  (void)factory;
  return "tvmfuse";
}

static uint32_t vendor_id(const OrtEpFactory *factory) {
  (void)factory;
  return 0; /* of PCI, which only makers of hardware have */
}

static const char *version(const OrtEpFactory *factory) {
  (void)factory;
  return TVMFUSE_VERSION;
}

static OrtStatus *devices(OrtEpFactory *factory, const OrtHardwareDevice *const *all, size_t count,
                          OrtEpDevice **ours, size_t room, size_t *found) {
  *found = 0;
  for (size_t i = 0; i < count && *found < room; i++) {
    if (ort->HardwareDevice_Type(all[i]) != OrtHardwareDeviceType_CPU) continue;
    TRY(ort_ep->CreateEpDevice(factory, all[i], NULL, NULL, &ours[*found]));
    ++*found;
  }
  return NULL;
}

static OrtStatus *create(OrtEpFactory *factory, const OrtHardwareDevice *const *on,
                         const OrtKeyValuePairs *const *about, size_t count,
                         const OrtSessionOptions *options, const OrtLogger *logger, OrtEp **ep) {
  (void)factory, (void)on, (void)about, (void)count, (void)logger;
  return plugin_provider(options, ep);
}

static void release(OrtEpFactory *factory, OrtEp *ep) {
  (void)factory;
  plugin_free_provider(ep);
}

static OrtStatus *transfer(OrtEpFactory *factory, OrtDataTransferImpl **none) {
  (void)factory;
  *none = NULL; /* all memory is the CPU's */
  return NULL;
}

static bool has_streams(const OrtEpFactory *factory) {
  (void)factory;
  return false;
}

ORT_EXPORT OrtStatus *CreateEpFactories(const char *registered, const OrtApiBase *base,
                                        const OrtLogger *logger, OrtEpFactory **factories,
                                        size_t room, size_t *count) {
  (void)registered, (void)logger;
  *count = 0;
  ort = base->GetApi(API_VERSION);
  if (!ort) {
    ort = base->GetApi(1);
    return plugin_fail(ORT_NOT_IMPLEMENTED, "tvmfuse takes onnxruntime 1.%d or later, and this is %s",
                       API_VERSION, base->GetVersionString());
  }
  ort_ep = ort->GetEpApi();
  if (!room) return plugin_fail(ORT_INVALID_ARGUMENT, "expected room for one factory, found none");
  OrtEpFactory *made = calloc(1, sizeof *made);
  if (!made) return plugin_no_memory();
  *made = (OrtEpFactory){.ort_version_supported = API_VERSION,
                         .GetName = name,
                         .GetVendor = vendor,
                         .GetVendorId = vendor_id,
                         .GetVersion = version,
                         .GetSupportedDevices = devices,
                         .CreateEp = create,
                         .ReleaseEp = release,
                         .CreateDataTransfer = transfer,
                         .IsStreamAware = has_streams};
  factories[0] = made;
  *count = 1;
  return NULL;
}

ORT_EXPORT OrtStatus *ReleaseEpFactory(OrtEpFactory *factory) {
  free(factory);
  return NULL;
}
