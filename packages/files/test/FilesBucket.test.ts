import { it } from "@effect/vitest"
import { Files } from "@trailbook/core/file"
import * as FilesBucket from "@trailbook/files/FilesBucket"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { assert } from "vitest"
import { credentials, server } from "./bucket.ts"
import { refuse } from "./S3Server.ts"

const over = (origin: string, settings: Partial<FilesBucket.BucketSettings> = {}) =>
  Effect.provide(Files, FilesBucket.layer({ ...credentials, url: `${origin}/trailbook-files`, ...settings }))

it.scopedLive("stores a file in the bucket under the configured prefix", () =>
  Effect.gen(function*() {
    const { complaints, objects, origin } = yield* server
    const files = yield* over(origin, { url: `${origin}/trailbook-files/of/mine` })
    yield* files.put("org/id", Buffer.from("photo"))
    assert.deepEqual([...objects.keys()], ["/trailbook-files/of/mine/org/id"])
    assert.deepEqual(complaints, [])
  }))

it.scopedLive("reports incorrect credentials after a single attempt, without revealing them", () =>
  Effect.gen(function*() {
    const { complaints, origin, requests } = yield* server
    const secret = "another/secret+of/mine"
    const files = yield* over(origin, { secretAccessKey: Redacted.make(secret) })
    const failure = yield* Effect.flip(files.put("org/id", Buffer.from("photo")))
    assert.strictEqual(failure.message, "The file bucket responded with 403 SignatureDoesNotMatch.")
    assert.notInclude(JSON.stringify(failure), secret)
    assert.deepEqual(complaints, ["wrong signature"])
    assert.lengthOf(requests, 1)
    const { message } = yield* Effect.flip((yield* over(origin, { region: "elsewhere" })).get("org/id"))
    assert.match(message, /403/)
  }))

it.scopedLive("retries after a temporary failure, and resends the complete file", () =>
  Effect.gen(function*() {
    const { instead, objects, origin, requests } = yield* server
    const files = yield* over(origin)
    instead.push(
      (response) => refuse(response, 503, "SlowDown"),
      (_, request) => request.socket.destroy()
    )
    yield* files.put("org/id", Buffer.from("photo"))
    assert.lengthOf(requests, 3)
    assert.strictEqual(objects.get("/trailbook-files/org/id")?.toString(), "photo")
    instead.push((response) => response.writeHead(500).end())
    assert.isTrue(Option.isSome(yield* files.get("org/id")))
    instead.push((response) => refuse(response, 404, "NoSuchKey"))
    yield* files.remove("org/id")
  }))

it.scopedLive("fails if the bucket stays unreachable, and stops when interrupted", () =>
  Effect.gen(function*() {
    const { close, instead, origin } = yield* server
    const files = yield* over(origin)
    instead.push(() => {})
    yield* Effect.timeoutOption(files.put("org/id", Buffer.from("photo")), "50 millis")
    yield* Effect.promise(close)
    const { message } = yield* Effect.flip(files.put("org/id", Buffer.from("photo")))
    assert.match(message, /^The file bucket is unreachable/)
    assert.notInclude(message, "org/id")
  }))
