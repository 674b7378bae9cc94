import { expect, test } from 'vitest';
import { parseObjectLocation } from '#main/front/contents/object-location.ts';

const region = { region: 'us-east-1', endpoint: 'https://s3.us-east-1.amazonaws.com' };

test.each([
  ['s3://bucket', { bucket: 'bucket', prefix: '', ...region }],
  ['s3://bucket/', { bucket: 'bucket', prefix: '', ...region }],
  ['s3://bucket/a', { bucket: 'bucket', prefix: 'a/', ...region }],
  ['s3://bucket/a/', { bucket: 'bucket', prefix: 'a/', ...region }],
  ['s3://a.b-c9/a_A.-/b9', { bucket: 'a.b-c9', prefix: 'a_A.-/b9/', ...region }],
  ['s3://abc', { bucket: 'abc', prefix: '', ...region }],
  [`s3://${'a'.repeat(63)}`, { bucket: 'a'.repeat(63), prefix: '', ...region }],
  [
    's3://bucket?region=EU-1',
    {
      bucket: 'bucket',
      prefix: '',
      region: 'EU-1',
      endpoint: 'https://s3.eu-1.amazonaws.com',
    },
  ],
  [
    's3://bucket?endpoint=http://h:9000/s3//&region=r',
    { bucket: 'bucket', prefix: '', region: 'r', endpoint: 'http://h:9000/s3' },
  ],
  [
    's3://bucket?endpoint=https://h',
    { bucket: 'bucket', prefix: '', region: 'us-east-1', endpoint: 'https://h' },
  ],
])('object location: %s', (text, expected) => {
  expect(parseObjectLocation(text)).toEqual(expected);
});

const shape = 'It must look like s3://bucket/prefix?endpoint=https://host&region=name.';
const keys = 'Keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, not from it.';
const bucket = 'The bucket must have 3 to 63 small letters, digits, dots and hyphens.';
const prefix = 'The prefix may have letters, digits, dots, hyphens and underscores.';
const endpoint = 'The endpoint must be an http or https address without keys in it.';
const parameters = 'After the question mark it takes endpoint and region only.';

test.each([
  ['', shape],
  ['bucket', shape],
  ['https://bucket', shape],
  ['s3://bucket#a', shape],
  ['s3://bucket:9000', shape],
  ['s3://name@bucket', keys],
  ['s3://:secret@bucket', keys],
  ['s3://bucket?secret=a', parameters],
  ['s3://bucket?endpoint=https://h&x=1', parameters],
  ['s3://ab', bucket],
  [`s3://${'a'.repeat(64)}`, bucket],
  ['s3://-ab', bucket],
  ['s3://ab-', bucket],
  ['s3://a_b', bucket],
  ['s3://Bucket', bucket],
  ['s3://bucket/a//b', prefix],
  ['s3://bucket//a', prefix],
  ['s3://bucket/a%20b', prefix],
  ['s3://bucket/a+b', prefix],
  ['s3://bucket?region=a/b', 'The region is not the name of one.'],
  ['s3://bucket?region=', 'The region is not the name of one.'],
  ['s3://bucket?endpoint=h', endpoint],
  ['s3://bucket?endpoint=ftp://h', endpoint],
  ['s3://bucket?endpoint=xhttp://h', endpoint],
  ['s3://bucket?endpoint=httpsx://h', endpoint],
  ['s3://bucket?endpoint=https://name@h', endpoint],
  ['s3://bucket?endpoint=https://:secret@h', endpoint],
  ['s3://bucket?endpoint=https://h/%3Fkey=a', endpoint],
  ['s3://bucket?endpoint=https://h/%23a', endpoint],
])('object location: %s is refused', (text, reason) => {
  expect(() => parseObjectLocation(text)).toThrow(new TypeError(reason));
});
