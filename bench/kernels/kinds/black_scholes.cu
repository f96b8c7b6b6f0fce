// Prices of European options. `random` holds three numbers from 0 to 1 for each option.
static __device__ float normal(float d)
{
    float k = __fdividef(1.0f, fmaf(0.2316419f, fabsf(d), 1.0f));
    float polynomial = fmaf(k, fmaf(k, fmaf(k, fmaf(k, 1.330274429f, -1.821255978f), 1.781477937f), -0.356563782f), 0.319381530f);
    float tail = 0.39894228040f * __expf(-0.5f * d * d) * (k * polynomial);
    return d > 0.0f ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(int n, float rate, float volatility, const float *__restrict__ random, float *__restrict__ prices)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float price = fmaf(25.0f, random[i], 5.0f);
        float strike = fmaf(99.0f, random[n + i], 1.0f);
        float years = fmaf(9.75f, random[2 * n + i], 0.25f);
        float root = sqrtf(years);
        float d1 = __fdividef(__logf(price / strike) + fmaf(0.5f * volatility, volatility, rate) * years, volatility * root);
        float d2 = d1 - volatility * root;
        float n1 = normal(d1);
        float n2 = normal(d2);
        float discounted = strike * __expf(-rate * years);
        prices[i] = price * n1 - discounted * n2;
        prices[n + i] = discounted * (1.0f - n2) - price * (1.0f - n1);
    }
}
