import { assert, describe, it } from "@effect/vitest"
import { type SecretLocation, Secrets } from "@trailbook/core/port"
import { KeyRing } from "@trailbook/webhook"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import { createDecipheriv, hkdfSync } from "node:crypto"

const secret = "whsec_7vQ2mXb9KcR4tYw8ZpL1sNf6HdJ3aGe5UoTiVyBnMqEx"
const place: SecretLocation = { table: "webhooks", orgId: "org", id: "endpoint" }
const first = Either.getOrThrow(KeyRing.parse(KeyRing.generate("k1")))[0]
const second = Either.getOrThrow(KeyRing.parse(KeyRing.generate("k2")))[0]

const using = <A>(keys: KeyRing.Keys, run: (secrets: typeof Secrets.Service) => Effect.Effect<A>): A =>
  Effect.runSync(Effect.provide(Effect.flatMap(Secrets, run), KeyRing.layer(keys)))
const sealText = (text = secret, keys: KeyRing.Keys = [first]) => using(keys, ({ seal }) => seal(text, place))
const openText = (text: string, at = place, keys: KeyRing.Keys = [first]) =>
  using(keys, ({ open }) => Effect.exit(open(text, at)))

const complaint = (exit: Exit.Exit<string>) => Exit.match(exit, { onFailure: Cause.pretty, onSuccess: () => "none" })

describe("a sealed secret", () => {
  it("can be decrypted for the same table, org, and ID", () => {
    for (const text of [secret, "", "Zoë 🛶", "x".repeat(10_000)]) {
      assert.deepStrictEqual(openText(sealText(text)), Exit.succeed(text))
    }
  })

  it("cannot be decrypted for another org or ID", () => {
    const text = sealText()
    for (
      const other of [{ ...place, id: "other" }, { ...place, orgId: "other" }, {
        ...place,
        orgId: "orgend",
        id: "point"
      }]
    ) {
      assert.isTrue(Exit.isFailure(openText(text, other)))
    }
  })

  it("is encrypted differently each time", () => {
    const two = [sealText(), sealText()]
    assert.notStrictEqual(two[0], two[1])
    for (const text of two) {
      assert.match(text, /^v1\.k1\.[\w-]{16}\.[\w-]{67}\.[\w-]{22}$/)
      assert.isFalse(text.includes("whsec") || text.includes(Buffer.from(secret).toString("base64url").slice(0, 8)))
    }
  })

  it("cannot be decrypted if any character is changed", () => {
    const text = sealText()
    for (let index = 0; index < text.length; index += 1) {
      const forgery = `${text.slice(0, index)}${text[index] === "A" ? "z" : "A"}${text.slice(index + 1)}`
      assert.isTrue(Exit.isFailure(openText(forgery)), forgery)
    }
  })

  it("cannot be decrypted if its authentication tag is truncated", () => {
    const [version, id, nonce, ciphertext, tag = ""] = sealText().split(".")
    for (const length of [0, 6, 16, 21]) {
      assert.isTrue(Exit.isFailure(openText([version, id, nonce, ciphertext, tag.slice(0, length)].join("."))))
    }
  })

  it("has the documented format, which Node's crypto module can decrypt", () => {
    const [version = "", id = "", nonce = "", ciphertext = "", tag = ""] = sealText().split(".")
    const key = new Uint8Array(hkdfSync("sha256", first.key, "", "trailbook v1 webhooks", 32))
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"))
    decipher.setAAD(Buffer.from(JSON.stringify([`${version}.${id}`, "webhooks", "org", "endpoint"])))
    decipher.setAuthTag(Buffer.from(tag, "base64url"))
    const plain = Buffer.concat([decipher.update(Buffer.from(ciphertext, "base64url")), decipher.final()])
    assert.strictEqual(plain.toString(), secret)
  })

  it("is rejected if it is unencrypted or its key is missing", () => {
    const text = sealText()
    assert.match(complaint(openText(text, place, [second])), /the key k1 is not configured/)
    assert.match(complaint(openText(secret)), /a stored secret is not encrypted/)
    assert.notInclude(complaint(openText(secret)), secret)
    assert.strictEqual(KeyRing.readKeyId(text), "k1")
    assert.isUndefined(KeyRing.readKeyId(secret))
  })
})

it("KeyRing decrypts secrets sealed with an older key, and identifies them as outdated", () => {
  const old = sealText()
  const keys: KeyRing.Keys = [second, first]
  const again = sealText(secret, keys)
  assert.deepStrictEqual(openText(old, place, keys), Exit.succeed(secret))
  assert.deepStrictEqual(openText(again, place, keys), Exit.succeed(secret))
  assert.strictEqual(KeyRing.readKeyId(again), "k2")
  assert.deepStrictEqual(
    [old, again, secret].map((text) => using(keys, ({ isCurrent }) => Effect.succeed(isCurrent(text)))),
    [
      false,
      true,
      false
    ]
  )
  assert.isTrue(
    Exit.isFailure(openText(again, place, [{ ...first, id: "k2" }])),
    "another key with this ID decrypted it"
  )
})

describe("configured keys", () => {
  const key = Buffer.alloc(32, 0xfb).toString("base64")
  const url = Buffer.alloc(32, 0xfb).toString("base64url")

  it("are parsed in order, as base64 or base64url", () => {
    const setting = `k3:${key}, k2:${url},k-1_x:${key.replace("=", "")}`
    assert.deepStrictEqual(
      Either.getOrThrow(KeyRing.parse(setting)).map(({ id, key }) => [id, Buffer.from(key).toString("base64")]),
      [["k3", key], ["k2", key], ["k-1_x", key]]
    )
  })

  it("are valid and unique if KeyRing generates them", () => {
    const [one] = Either.getOrThrow(KeyRing.parse(KeyRing.generate()))
    assert.strictEqual(one.id, "k1")
    assert.lengthOf(one.key, 32)
    assert.notStrictEqual(KeyRing.generate(), KeyRing.generate())
  })

  it.each([
    ["", "entry 1 must be a key ID and a key, such as k1:<base64>"],
    [key, "entry 1 must be a key ID and a key, such as k1:<base64>"],
    [`${key}:k1`, "entry 1 must be a key ID and a key, such as k1:<base64>"],
    [`k1:${key},`, "entry 2 must be a key ID and a key, such as k1:<base64>"],
    [`k1:${key};k2:${key}`, "the key k1 must be 32 bytes in base64"],
    ["k1:", "the key k1 must be 32 bytes in base64"],
    [`k1:${key.slice(1)}`, "the key k1 must be 32 bytes in base64"],
    [`k1:${key}=`, "the key k1 must be 32 bytes in base64"],
    [`k1:${Buffer.alloc(32).toString("hex")}`, "the key k1 must be 32 bytes in base64"],
    [`k.1:${key}`, "entry 1 must be a key ID and a key, such as k1:<base64>"],
    [`k1:${key},k1:${url}`, "duplicate key ID k1"]
  ])("are rejected if the setting is %j, with the error: %s", (setting, objection) => {
    assert.deepStrictEqual(KeyRing.parse(setting), Either.left(objection))
  })

  it("never appear in an error message", () => {
    const texts = FastCheck.array(
      FastCheck.oneof(FastCheck.constantFrom(key, url, "k1", ":", ",", "="), FastCheck.string())
    )
    FastCheck.assert(FastCheck.property(texts, (parts) => {
      const objection = Either.getLeft(KeyRing.parse(parts.join("")))
      assert.isFalse(objection._tag === "Some" && (objection.value.includes(key) || objection.value.includes(url)))
    }))
  })
})
