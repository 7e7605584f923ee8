/** Tests the errors that an outfitter gets for a webhook URL, and that no event is sent to a rejected URL. */
import { assert, describe, it } from "@effect/vitest"
import { HttpSender } from "@trailbook/webhook"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { delivery } from "./delivery.ts"

const names: Record<string, ReadonlyArray<string>> = {
  "hooks.example.com": ["8.8.8.8", "2606:4700:4700::1111"],
  "xn--bcher-kva.example": ["8.8.8.8"],
  "intranet": ["10.0.0.5"],
  "inner.example.com": ["10.0.0.5"],
  "half.example.com": ["8.8.8.8", "10.0.0.5"],
  "metadata.google.internal": ["169.254.169.254"]
}
const resolve = (name: string): Promise<ReadonlyArray<string>> =>
  names[name] === undefined ? Promise.reject(new Error("ENOTFOUND")) : Promise.resolve(names[name])

const objectionTo = (url: string, allow: ReadonlyArray<string> = []) =>
  Effect.flatMap(HttpSender.make({ allow }, { resolve }), ({ findUrlProblem }) => findUrlProblem(url))

const notSecure = "must be a URL that starts with https://"
const notPublic = "must resolve to a public address"
const noDomain = "must have a host name with a domain, such as hooks.example.com"
const port = "must use port 443 or a port from 1024 to 65535"
const user = "must not contain a username or a password"

describe("an outfitter can add the webhook URL", () => {
  it.scoped.each([
    "https://hooks.example.com",
    "https://hooks.example.com/a/b?c=d%20e",
    "HTTPS://HOOKS.example.com./",
    "https://hooks.example.com:443/",
    "https://hooks.example.com:1024/",
    "https://hooks.example.com:65535/",
    "https://bücher.example/",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://[::ffff:8.8.8.8]/",
    "https://not-yet.example.com/",
    `https://hooks.example.com/${"a".repeat(1974)}`
  ])("%s", (url) => Effect.map(objectionTo(url), (objection) => assert.isUndefined(objection)))
})

describe("an outfitter cannot add or use a webhook URL", () => {
  it.scoped.each<[url: string, objection: string]>([
    ["", notSecure],
    ["hooks.example.com", notSecure],
    ["//hooks.example.com/", notSecure],
    ["https:hooks.example.com", notSecure],
    ["https:/hooks.example.com", notSecure],
    ["https://", notSecure],
    ["https:///", notSecure],
    ["ftp://hooks.example.com/", notSecure],
    ["file:///etc/passwd", notSecure],
    ["gopher://hooks.example.com/", notSecure],
    ["javascript:alert(1)", notSecure],
    [" https://hooks.example.com/", notSecure],
    ["https://hooks.example.com/\n", notSecure],
    ["https://hooks.example.com/a b", notSecure],
    ["https://hooks.example.com\\@127.0.0.1/", notSecure],
    ["https://hooks.example.com:65536/", notSecure],
    ["https://[fe80::1%25eth0]/", notSecure],
    ["https://[::1", notSecure],
    ["https://256.1.1.1/", notSecure],
    ["https://1.2.3.4.5/", notSecure],
    ["https://ho%00st.example/", notSecure],
    ["http://hooks.example.com/", notSecure],
    ["http://127.0.0.1/", notSecure],
    ["http://not-yet.example.com/", notSecure],
    ["https://a..b/", "must have a host"],
    ["https://./", "must have a host"],
    ["https://hooks.example.com../", "must have a host"],
    [`https://${"a".repeat(64)}.example/`, "must have a host"],
    ["https://mara@hooks.example.com/", user],
    ["https://mara:secret@hooks.example.com/", user],
    ["https://@hooks.example.com/", user],
    ["https://8.8.8.8@127.0.0.1/", user],
    ["https://hooks.example.com/#part", "must not have a fragment"],
    ["https://hooks.example.com/#", "must not have a fragment"],
    ["https://hooks.example.com:0/", port],
    ["https://hooks.example.com:22/", port],
    ["https://hooks.example.com:80/", port],
    ["https://hooks.example.com:1023/", port],
    ["http://127.0.0.1:25/", port],
    ["https://localhost/", noDomain],
    ["https://localhost./", noDomain],
    ["https://intranet/", noDomain],
    ["https://nobody/", noDomain],
    ["https://com./", noDomain],
    ["https://inner.example.com/", notPublic],
    ["https://half.example.com/", notPublic],
    ["https://metadata.google.internal/", notPublic],
    ["https://127.0.0.1/", notPublic],
    ["https://2130706433/", notPublic],
    ["https://0x7f.1/", notPublic],
    ["https://0177.0.0.1/", notPublic],
    ["https://①②⑦.⓪.⓪.①/", notPublic],
    ["https://169.254.169.254/latest/meta-data/", notPublic],
    ["https://[::1]/", notPublic],
    ["https://[::ffff:169.254.169.254]/", notPublic],
    ["https://[::ffff:a9fe:a9fe]/", notPublic],
    ["https://[64:ff9b::7f00:1]/", notPublic],
    ["https://[2002:7f00:1::]/", notPublic],
    ["https://[fd00:ec2::254]/", notPublic],
    [`https://hooks.example.com/${"a".repeat(1975)}`, "must be at most 2000 characters long"]
  ])("%s: %s", ([url, objection]) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* objectionTo(url), objection)
      const { send } = yield* HttpSender.make({}, { resolve })
      const answer = yield* send(delivery(url))
      const isUnknown = /nobody|not-yet|localhost|com\./.test(url) && !url.includes("hooks")
      assert.deepStrictEqual(answer, { _tag: "Unreachable", fault: isUnknown ? "dns" : "blocked_address" })
    }))
})

describe("an allowed network", () => {
  const allow = ["10.0.0.0/8", "127.0.0.0/8"]

  it.scoped.each([
    "https://10.0.0.5/",
    "https://inner.example.com/",
    "https://half.example.com/",
    "https://intranet/",
    "http://intranet:3000/",
    "http://inner.example.com/",
    "http://127.0.0.1:4000/hooks",
    "http://127.0.0.1/",
    "https://hooks.example.com/"
  ])(
    "permits the webhook URL %s",
    (url) => Effect.map(objectionTo(url, allow), (objection) => assert.isUndefined(objection))
  )

  it.scoped.each<[url: string, objection: string]>([
    ["http://hooks.example.com/", notSecure],
    ["http://half.example.com/", notSecure],
    ["http://not-yet.example.com/", notSecure],
    ["http://192.168.0.1/", notSecure],
    ["https://192.168.0.1/", notPublic],
    ["https://nobody/", noDomain],
    ["https://metadata.google.internal/", notPublic]
  ])(
    "does not permit the webhook URL %s",
    ([url, objection]) => Effect.map(objectionTo(url, allow), (actual) => assert.strictEqual(actual, objection))
  )

  it("must be a valid IP network", () => {
    assert.throws(
      () => Effect.runSync(Effect.scoped(HttpSender.make({ allow: ["intranet"] }))),
      /intranet must be a network/
    )
  })
})

it.scoped("an outfitter can add a webhook URL whose DNS lookup times out", () =>
  Effect.gen(function*() {
    const { findUrlProblem } = yield* HttpSender.make({}, { resolve: () => new Promise(() => {}) })
    const fiber = yield* Effect.fork(findUrlProblem("https://silent.example/"))
    yield* TestClock.adjust("5 seconds")
    assert.isUndefined(yield* Fiber.join(fiber))
  }))
