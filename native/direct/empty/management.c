/* libfacet-management.so.1 where none was written for the vendor's libnvidia-ml.so.1. */
__attribute__((visibility("default"))) const char facet_management_table[] = "empty";
