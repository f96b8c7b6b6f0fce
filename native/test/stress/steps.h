/* Comes before the client's own sources in this test: now and then a thread stops before something atomic. What two sides do
 * to each other takes nanoseconds; without this hardly anybody would ever be met between two steps that belong together. */
#ifndef FACET_STEPS_H
#define FACET_STEPS_H

void stress_step(void); /* step.c */

/* All that atomic_* of the compiler's header are made of, too. */
#define __atomic_load(...) (stress_step(), __atomic_load(__VA_ARGS__))
#define __atomic_load_n(...) (stress_step(), __atomic_load_n(__VA_ARGS__))
#define __atomic_store_n(...) (stress_step(), __atomic_store_n(__VA_ARGS__))
#define __atomic_exchange_n(...) (stress_step(), __atomic_exchange_n(__VA_ARGS__))
#define __atomic_compare_exchange(...) (stress_step(), __atomic_compare_exchange(__VA_ARGS__))
#define __atomic_compare_exchange_n(...) (stress_step(), __atomic_compare_exchange_n(__VA_ARGS__))
#define __atomic_fetch_add(...) (stress_step(), __atomic_fetch_add(__VA_ARGS__))
#define __atomic_fetch_sub(...) (stress_step(), __atomic_fetch_sub(__VA_ARGS__))
#define __atomic_fetch_and(...) (stress_step(), __atomic_fetch_and(__VA_ARGS__))

#endif
