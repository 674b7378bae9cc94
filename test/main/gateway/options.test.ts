import { expect, test } from 'vitest';
import { documentsBucket, standardBucket } from '#shared/api/limits.ts';
import { partnerLimits } from '#main/gateway/options.ts';

test('options: granted limits replace the published ones, each by itself', () => {
  expect(partnerLimits('standard=120/60s:40 documents=40/60s:20 token=20/60s')).toEqual({
    standard: { capacity: 40, refillPerMinute: 120 },
    documents: { capacity: 20, refillPerMinute: 40 },
    token: { requests: 20, windowMs: 60_000 },
  });
  expect(partnerLimits('standard=10/1s:30')).toEqual({
    standard: { capacity: 30, refillPerMinute: 600 },
    documents: documentsBucket,
  });
  expect(partnerLimits('')).toEqual({ standard: standardBucket, documents: documentsBucket });
});

test.each([
  ['standard=120'],
  ['standard=0/60s:40'],
  ['standard=120/0s:40'],
  ['standard=120/60s:1'],
  ['standard=120/60s'],
  ['token=20/60s:5'],
  ['token=0/60s'],
  ['other=1/1s:2'],
])('options: refuses %s as limits', (text) => {
  expect(() => partnerLimits(text)).toThrow('It must be like');
});
