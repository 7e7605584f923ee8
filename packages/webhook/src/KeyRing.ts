/**
 * Encrypts secrets before they are stored in the database. The keys are stored elsewhere, so a copy of the database
 * does not reveal the secrets.
 *
 * An encrypted secret is `v1.<key id>.<nonce>.<ciphertext>.<tag>` with AES-256-GCM. HKDF-SHA256 derives a separate key
 * for each table. The row's identity and the text before the nonce are authenticated, so a secret copied to another row
 * cannot be decrypted.
 */
import { type SecretLocation, Secrets } from "@trailbook/core/port"
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"

export interface Key {
  /** Between 1 and 16 letters, digits, `-`, or `_`. */
  readonly id: string
  /** 32 bytes. */
  readonly key: Uint8Array
}

/** The first key encrypts, and any key can decrypt. */
export type Keys = NonEmptyReadonlyArray<Key>

export const layer = (keys: Keys): Layer.Layer<Secrets> =>
  Layer.sync(Secrets, () => {
    const [currentKey] = keys
    const derivedKeys = new Map<string, Uint8Array>()
    /** Returns undefined if the key ID is unknown. */
    const deriveKey = (id: string, table: SecretLocation["table"]): Uint8Array | undefined => {
      const master = keys.find((key) => key.id === id)
      if (master === undefined) return undefined
      const cachedKey = derivedKeys.get(`${id}.${table}`)
      if (cachedKey !== undefined) return cachedKey
      const derivedKey = new Uint8Array(hkdfSync("sha256", master.key, "", `trailbook ${version} ${table}`, 32))
      derivedKeys.set(`${id}.${table}`, derivedKey)
      return derivedKey
    }

    return Secrets.of({
      seal: (secret, place) =>
        Effect.sync(() => {
          const nonce = randomBytes(nonceBytes)
          const prefix = `${version}.${currentKey.id}`
          const cipher = createCipheriv(
            "aes-256-gcm",
            requireValue(deriveKey(currentKey.id, place.table)),
            nonce,
            cipherOptions
          )
          cipher.setAAD(associatedData(prefix, place))
          const ciphertext = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()])
          return [prefix, ...[nonce, ciphertext, cipher.getAuthTag()].map((part) => part.toString("base64url"))].join(
            "."
          )
        }),
      open: (sealedSecret, place) =>
        Effect.sync(() => {
          const { ciphertext, id, nonce, tag } = requireValue(splitSealed(sealedSecret))
          const key = deriveKey(id, place.table)
          if (key === undefined) {
            throw new Error(
              `Cannot decrypt the secret of ${place.table} ${place.id}: the key ${id} is not configured.`
            )
          }
          const decipher = createDecipheriv("aes-256-gcm", key, nonce, cipherOptions)
          decipher.setAAD(associatedData(`${version}.${id}`, place)).setAuthTag(tag)
          return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8")
        }),
      isCurrent: (sealedSecret) => readKeyId(sealedSecret) === currentKey.id
    })
  })

/** Returns the ID of the key that encrypted a secret, or undefined if the text is not an encrypted secret. */
export const readKeyId = (sealedSecret: string): string | undefined => splitSealed(sealedSecret)?.id

/**
 * Parses the `k2:<base64>,k1:<base64>` setting. The first key encrypts. Errors never contain any part of a key.
 *
 * @example
 * import { KeyRing } from "@trailbook/webhook"
 *
 * KeyRing.parse("k1") // Either.left("entry 1 must be a key ID and a key, such as k1:<base64>")
 */
export const parse = (text: string): Either.Either<Keys, string> =>
  Either.gen(function*() {
    const keys: Array<Key> = []
    for (const [index, entry] of text.split(",").entries()) {
      const [, id, encoded] = /^([\w-]{1,16}):(.*)$/s.exec(entry.trim()) ?? []
      if (id === undefined || encoded === undefined) {
        return yield* Either.left(`entry ${index + 1} must be a key ID and a key, such as k1:<base64>`)
      }
      // In either base64 alphabet, 32 bytes are 43 characters plus optional padding.
      if (!/^[\w+/-]{43}=?$/.test(encoded)) return yield* Either.left(`the key ${id} must be 32 bytes in base64`)
      if (keys.some((key) => key.id === id)) return yield* Either.left(`duplicate key ID ${id}`)
      keys.push({ id, key: Buffer.from(encoded, "base64") })
    }
    const [first, ...rest] = keys
    return first === undefined ? yield* Either.left("must contain at least one key") : [first, ...rest]
  })

/** Generates a key that {@link parse} accepts. */
export const generate = (id = "k1"): string => `${id}:${randomBytes(32).toString("base64")}`

const version = "v1"
const nonceBytes = 12
const tagBytes = 16
// Without this option, Node accepts authentication tags as short as 4 bytes.
const cipherOptions = { authTagLength: tagBytes }

/** Uses JSON, because concatenated fields could produce the same text for two different rows. */
const associatedData = (prefix: string, { id, orgId, table }: SecretLocation): Buffer =>
  Buffer.from(JSON.stringify([prefix, table, orgId, id]))

const splitSealed = (sealedSecret: string) => {
  const [, id, nonce, ciphertext, tag] = /^v1\.([\w-]{1,16})\.([\w-]{16})\.([\w-]*)\.([\w-]{22})$/.exec(sealedSecret) ??
    []
  return id === undefined || nonce === undefined || ciphertext === undefined || tag === undefined ? undefined : {
    id,
    nonce: Buffer.from(nonce, "base64url"),
    ciphertext: Buffer.from(ciphertext, "base64url"),
    tag: Buffer.from(tag, "base64url")
  }
}

const requireValue = <A>(value: A | undefined): A => {
  if (value === undefined) throw new Error("Invariant violated: a stored secret is not encrypted")
  return value
}
