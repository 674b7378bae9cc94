import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { bytesToUtf8, concatBytes, utf8ToBytes } from '@noble/ciphers/utils.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { areEqual } from '../photos/bytes.ts';

/*
 * How the telephone's page and the desk prove that they know the code's key, and seal what they
 * send. The page of a private address has no Web Crypto, so both use this file.
 *
 * page → desk   session, number                       (hello)
 * desk → page   number, HMAC(key, both numbers)       the desk proves itself
 * page → desk   session, number, seal 0 of the page   (begin) the page proves itself
 * page → desk   counter, seal of the counter          (send) each counter is used once
 *
 * Each direction has a key, made of the code's key and of fresh numbers of both sides. The nonce of
 * a seal is its counter; the answer to a request has the counter of the request.
 */

/** What both sides bind their proofs and keys to. */
export interface Handshake {
  readonly session: Uint8Array;
  readonly telephone: Uint8Array;
  readonly desk: Uint8Array;
}

export interface DirectionKeys {
  /** Seals what the telephone sends. */
  readonly up: Uint8Array;
  /** Seals what the desk answers. */
  readonly down: Uint8Array;
}

/** A message before it is sealed: its description as JSON, and its bytes. */
export interface Message {
  readonly head: unknown;
  readonly body: Uint8Array;
}

const bound = (purpose: string, { session, telephone, desk }: Handshake) =>
  concatBytes(utf8ToBytes(`appraiser-desk telephone ${purpose}\0`), session, telephone, desk);

/** The proof of the desk that it knows the key. */
export const deskProof = (key: Uint8Array, handshake: Handshake): Uint8Array =>
  hmac(sha256, key, bound('desk', handshake));

/** Whether the proof is the desk's. The comparison takes the same time for each wrong proof. */
export function isDeskProof(key: Uint8Array, handshake: Handshake, proof: Uint8Array): boolean {
  return isSameSecret(deskProof(key, handshake), proof);
}

/** Compares without a hint at the first byte that differs. */
export const isSameSecret = (one: Uint8Array, other: Uint8Array): boolean =>
  areEqual(sha256(one), sha256(other));

export function directionKeys(key: Uint8Array, handshake: Handshake): DirectionKeys {
  const derive = (way: string) => hkdf(sha256, key, undefined, bound(way, handshake), 32);
  return { up: derive('up'), down: derive('down') };
}

function nonceOf(counter: number): Uint8Array {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setBigUint64(4, BigInt(counter));
  return nonce;
}

/** Seals a message. A counter is used once with each key. */
export function seal(key: Uint8Array, counter: number, { head, body }: Message): Uint8Array {
  const text = utf8ToBytes(JSON.stringify(head));
  const plain = new Uint8Array(4 + text.length + body.length);
  new DataView(plain.buffer).setUint32(0, text.length);
  plain.set(text, 4);
  plain.set(body, 4 + text.length);
  return chacha20poly1305(key, nonceOf(counter)).encrypt(plain);
}

/** Opens a sealed message. @returns null if it is not the message of this key and counter */
export function unseal(key: Uint8Array, counter: number, sealed: Uint8Array): Message | null {
  try {
    const plain = chacha20poly1305(key, nonceOf(counter)).decrypt(sealed);
    const length = new DataView(plain.buffer, plain.byteOffset).getUint32(0);
    const head: unknown = JSON.parse(bytesToUtf8(plain.subarray(4, 4 + length)));
    return { head, body: plain.subarray(4 + length) };
  } catch {
    // A foreign, cut or changed message. The caller refuses it.
    return null;
  }
}

/** A counter before a sealed message. */
export const counterBytes = 8;

export function withCounter(counter: number, sealed: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(counterBytes + sealed.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(counter));
  bytes.set(sealed, counterBytes);
  return bytes;
}

/** @returns NaN for a number that no page counts to */
export function counterOf(bytes: Uint8Array): number {
  const counter = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  return counter <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(counter) : Number.NaN;
}
