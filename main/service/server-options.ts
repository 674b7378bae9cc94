import { Command, InvalidArgumentError } from 'commander';
import {
  address,
  database,
  notEmpty,
  parseCommand,
  withOperating,
  type OperatingOptions,
  url,
  wholeNumber,
} from '../front/command-line.ts';
import { parseObjectLocation, type ObjectLocation } from '../front/contents/object-location.ts';
import type { Limits } from '../front/limits/limiter.ts';

/** The parsed options of `npm run service`. */
export interface ServerOptions extends OperatingOptions {
  readonly port: number;
  readonly host: string;
  readonly data: string;
  /** The number of claims to create in a store without claims. */
  readonly demo: number | undefined;
  readonly demoSeed: number;
  readonly publicUrl: string | undefined;
  readonly audience: string | undefined;
  readonly limits: Limits;
  readonly backoffice: boolean;
  /** The address postgres://..., which may contain a password. */
  readonly database: string | undefined;
  /** The bucket for documents; undefined if they are stored in the database. */
  readonly documents: ObjectLocation | undefined;
}

/** The explanation of each option, with an example, for --help. */
const explained = {
  port: 'Port to listen on; 0 takes a free one. Example: --port 8443',
  host: 'Address to listen on. Example: --host 0.0.0.0',
  data: 'Data folder, made if it does not exist; one service uses it at a time. Example: --data ./claims',
  demo: 'Makes this many practice claims if there are none. Example: --demo 200',
  demoSeed: 'The same seed makes the same practice claims. Example: --demo-seed 7',
  publicUrl:
    'The address that partners use, for example of a proxy; htu is compared with it. Example: --public-url https://api.example',
  audience:
    'The aud of client assertions; the token endpoint by default. Example: --audience https://idp.example/token',
  limits:
    'Rate limits: on as published, off for none, xN for N times as much. Example: --limits x10',
  backoffice:
    'Serves the back office under /_backoffice, to move claims and to inject faults. Example: --backoffice',
  database:
    'PostgreSQL that several services share; the password comes from PGPASSWORD. Example: --database postgres://user@host/name',
  documents:
    'Bucket for documents in S3-compatible storage; the keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Example: --documents s3://bucket/prefix?endpoint=https://storage.example&region=eu-1',
};

/**
 * Reads the options of `npm run service`.
 * @param print writes help and error messages for the user.
 * @throws {UsageError} exit code 2 for a wrong option, 0 after --help.
 */
export function parseServerOptions(
  args: readonly string[],
  print: (text: string) => void,
): ServerOptions {
  const command = new Command('service')
    .description('Serves the partner API from a data folder.')
    .option('--port <n>', explained.port, wholeNumber(0, 65_535), 0)
    .option('--host <address>', explained.host, notEmpty, '127.0.0.1')
    .option('--data <dir>', explained.data, notEmpty, './service-data')
    .option('--demo <n>', explained.demo, wholeNumber(0, 1_000_000))
    .option('--demo-seed <n>', explained.demoSeed, wholeNumber(0), 1)
    .option('--public-url <url>', explained.publicUrl, url)
    .option('--audience <url>', explained.audience, url)
    .option('--limits <on|off|xN>', explained.limits, limits, 'on')
    .option('--backoffice', explained.backoffice, false)
    .option('--database <url>', explained.database, address('--database', database))
    .option('--documents <url>', explained.documents, address('--documents', parseObjectLocation));
  withOperating(command);
  parseCommand(command, args, print);
  return command.opts<ServerOptions>();
}

function limits(text: string): Limits {
  if (text === 'on' || text === 'off') return text;
  const factor = /^x(\d+(?:\.\d+)?)$/.exec(text)?.[1];
  if (factor === undefined || Number(factor) <= 0) {
    throw new InvalidArgumentError('It must be on, off, or a factor like x10.');
  }
  return Number(factor);
}
