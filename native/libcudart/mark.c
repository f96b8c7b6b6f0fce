/* By this section the preload library knows a libcudart.so as ours. */
__attribute__((section(".facet"), used)) static const char mark[] = "Facet";
