/* Memory that is made, mapped and released apart (cuMemCreate). It is there as long as somebody has a handle to it or has mapped it. */
#ifndef FACET_DIRECT_SEGMENT_H
#define FACET_DIRECT_SEGMENT_H

void facet_segments_lock(void);
void facet_segments_unlock(void);
void facet_segments_forget(void);

#endif
