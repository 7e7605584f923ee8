/**
 * Deterministic `Ids`: a seed always produces the same IDs in the same order, so a run can be repeated and two storages
 * can be compared.
 *
 * Guarantees:
 * - The same seed produces the same sequence, and different seeds produce different sequences.
 * - IDs are unique UUIDv7 values in creation order.
 * - References, handles, and tokens have the same format and length as in production.
 * - The digest is SHA-256.
 *
 * The values are predictable, so use them only in tests.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Ids } from "@trailbook/core/port"
import * as Layer from "effect/Layer"
import { makeRandomIntegers } from "./randomIntegers.ts"

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const hex = "0123456789abcdef"

/**
 * @example
 * import * as TestIds from "@trailbook/testkit/fake/TestIds"
 *
 * TestIds.make(1).reference() === TestIds.make(1).reference() // true
 */
export const make = (seed: number): Ids["Type"] => {
  const next = makeRandomIntegers(seed)
  const draw = (alphabet: string, length: number): string => {
    let text = ""
    for (let at = 0; at < length; at++) text += alphabet.charAt(next() % alphabet.length)
    return text
  }
  let uuidCount = 0
  return {
    // The result is a UUIDv7 with a counter instead of the time.
    uuid: () => {
      const count = (++uuidCount).toString(16).padStart(12, "0")
      return `${count.slice(0, 8)}-${count.slice(8)}-7${draw(hex, 3)}-${draw("89ab", 1)}${draw(hex, 3)}-${
        draw(hex, 12)
      }`
    },
    reference: () => draw(crockford, 8),
    handle: () => draw(base64url, 30),
    token: (length) => draw(base62, length),
    // Web Crypto offers only an asynchronous digest, and the kit must run on every platform.
    digest: (text) => bytesToHex(sha256(utf8ToBytes(text)))
  }
}

export const layer = (seed: number): Layer.Layer<Ids> => Layer.sync(Ids, () => make(seed))
