import { expect, test } from 'vitest';
import { parseObjectLocation } from '#main/front/contents/object-location.ts';

test('object location: bucket, prefix, endpoint and region', () => {
  expect(
    parseObjectLocation('s3://my.bucket/a/b/?endpoint=http://minio.example:9000/s3/&region=eu-1'),
  ).toEqual({
    bucket: 'my.bucket',
    prefix: 'a/b/',
    endpoint: 'http://minio.example:9000/s3',
    region: 'eu-1',
  });
  expect(parseObjectLocation('s3://bucket')).toEqual({
    bucket: 'bucket',
    prefix: '',
    endpoint: 'https://s3.us-east-1.amazonaws.com',
    region: 'us-east-1',
  });
});

test.each([
  '',
  'bucket',
  'https://bucket/hidden',
  's3://hidden:secret@bucket',
  's3://bucket?secret=hidden',
  's3://bucket?endpoint=https://hidden:secret@host',
  's3://bucket?endpoint=ftp://hidden',
  's3://bucket?endpoint=https://host/?key=hidden',
  's3://hidden_bucket',
  's3://bucket/hidden//b',
  's3://bucket/hidden%20b',
  's3://bucket?region=hidden/1',
])('object location: %j is refused without being repeated', (text) => {
  expect(() => parseObjectLocation(text)).toThrow(TypeError);
  expect(() => parseObjectLocation(text)).not.toThrow(/hidden/);
});
