import { parsePasskeyResponse, Passkeys, PasskeyVerifier, StaffMembers } from "@trailbook/core/staff"
import * as Effect from "effect/Effect"
import { assert, beforeAll, describe, it } from "vitest"
import * as Reader from "../../src/passkey/PasskeyVerifier.ts"
import { Authenticator, type Defects, type Kind } from "./Authenticator.ts"
import { open, operator, type World } from "./World.ts"

const root = "https://book.test"

type Outfitter = Awaited<ReturnType<World["outfitter"]>>

describe("passkeys", () => {
  let world: World
  let here: Outfitter
  let cookie: string
  beforeAll(async () => {
    world = await open(root)
    here = await world.outfitter("Salida")
    cookie = await world.signedIn(here.ann)
  })

  const addDevice = async (device: Authenticator, wrong: Defects = {}, as = cookie) => {
    const options = await world.requestOptions("/dashboard/passkeys/new", { cookie: as, form: { name: "Phone" } })
    return world.ask("/dashboard/passkeys", {
      cookie: as,
      form: { name: "Phone", answer: device.create(options, wrong) }
    })
  }
  const signIn = async (device: Authenticator, wrong: Defects = {}) =>
    finishSignIn(device.get(await world.requestOptions("/sign-in/passkey", {}), wrong))
  const finishSignIn = (answer: string) => world.ask("/sign-in/passkey/done", { form: { answer } })
  const device = async () => {
    const authenticator = new Authenticator(root)
    assert.strictEqual((await addDevice(authenticator)).status, 303)
    return authenticator
  }

  it("let a person sign in repeatedly, and return to the requested page", async () => {
    const phone = await device()
    const { html } = await world.ask("/dashboard/passkeys", { cookie })
    assert.include(html, "Phone")
    for (let at = 0; at < 2; at++) {
      const { cookie: newCookie, location, status } = await signIn(phone)
      assert.deepStrictEqual([status, location], [303, "/dashboard"])
      assert.match(newCookie, /^__Host-tb_login=/)
      assert.strictEqual((await world.ask("/dashboard/passkeys", { cookie: newCookie })).status, 200)
    }
    const answer = phone.get(await world.requestOptions("/sign-in/passkey", {}))
    const form = { answer, next: "/dashboard/passkeys" }
    assert.strictEqual((await world.ask("/sign-in/passkey/done", { form })).location, "/dashboard/passkeys")
    const what = await world.audit(here.orgId)
    assert.include(what, "passkey.added")
    assert.isAbove(what.filter((one) => one === "login.started").length, 2)
  })

  it.each<[string, Defects]>([
    ["another origin", { origin: "https://evil.test" }],
    ["another host", { host: "evil.test" }],
    ["a response without user verification", { isVerified: false }],
    ["a response without user presence", { isPresent: false }],
    ["a response of another type", { type: "payment.get" }],
    ["the ID of another passkey", { id: "A".repeat(43) }],
    ["impossible flags", { isOdd: true }],
    ["a page that frames ours", { isWithin: true }],
    ["a challenge that was not issued", { challenge: "A".repeat(44) }]
  ])("cannot be added or used with %s", async (_, wrong) => {
    assert.strictEqual((await addDevice(new Authenticator(root), wrong)).status, 422)
    assert.strictEqual((await signIn(await device(), wrong)).status, 403)
  })

  it("must sign the challenge that the server issued", async () => {
    const options = { challenge: "A".repeat(44), rp: { id: "book.test" }, rpId: "book.test" }
    const answer = parsePasskeyResponse(new Authenticator(root).create(options))
    if (answer === undefined) throw new Error("The passkey response cannot be parsed.")
    const verify = (challenge: string) =>
      world.run(
        Effect.flatMap(PasskeyVerifier, (reader) =>
          Effect.either(
            reader.verifyRegistration({ answer, challenge, relyingParty: { origin: root, host: "book.test" } })
          )).pipe(
            Effect.provide(Reader.layer)
          )
      )
    assert.strictEqual((await verify(options.challenge))._tag, "Right")
    assert.strictEqual((await verify("B".repeat(44)))._tag, "Left")
  })

  it("cannot be used with a signature from another key", async () => {
    const [phone, other] = [await device(), await device()]
    assert.strictEqual((await signIn(phone, { by: other })).status, 403)
    assert.strictEqual((await signIn(phone)).status, 303)
  })

  it.each<[Kind, number]>([["ed25519", 303], ["rs256", 303], ["short", 422], ["p384", 422]])(
    "of type %s are accepted or refused with status %i",
    async (kind, status) => {
      const authenticator = new Authenticator(root, kind)
      assert.strictEqual((await addDevice(authenticator)).status, status)
      assert.strictEqual((await signIn(authenticator)).status, status === 303 ? 303 : 403)
    }
  )

  it("are limited to 20 per person", async () => {
    const there = await world.outfitter("Many")
    const otherCookie = await world.signedIn(there.ann)
    const all: Array<number> = []
    for (let at = 0; at < 21; at++) {
      if (at === 15) await world.pass(15 * 60_000)
      all.push((await addDevice(new Authenticator(root), {}, otherCookie)).status)
    }
    assert.deepStrictEqual(all, [...Array.from({ length: 20 }, () => 303), 422])
  })

  it("can answer each challenge only once and only within five minutes", async () => {
    const phone = await device()
    const options = await world.requestOptions("/sign-in/passkey", {})
    const answer = phone.get(options)
    assert.strictEqual((await finishSignIn(answer)).status, 303)
    assert.strictEqual((await finishSignIn(answer)).status, 403)
    // After a wrong response, neither a new signature nor the correct response is accepted.
    assert.strictEqual((await finishSignIn(phone.get(options))).status, 403)
    const other = await world.requestOptions("/sign-in/passkey", {})
    assert.strictEqual((await finishSignIn(phone.get(other, { host: "evil.test" }))).status, 403)
    assert.strictEqual((await finishSignIn(phone.get(other))).status, 403)
    const late = phone.get(await world.requestOptions("/sign-in/passkey", {}))
    await world.pass(5 * 60_000)
    assert.strictEqual((await finishSignIn(late)).status, 403)
  })

  it("are refused as possible copies if their counter does not increase", async () => {
    const phone = await device()
    assert.strictEqual((await signIn(phone, { counter: 7 })).status, 303)
    assert.strictEqual((await signIn(phone, { counter: 7 })).status, 403)
    assert.strictEqual((await signIn(phone, { counter: 3 })).status, 403)
    assert.strictEqual((await signIn(phone, { counter: 0 })).status, 403)
    assert.strictEqual((await signIn(phone, { counter: 8 })).status, 303)
  })

  it("are accepted if the counter stays at zero", async () => {
    const synced = await device()
    for (let at = 0; at < 2; at++) assert.strictEqual((await signIn(synced, { counter: 0 })).status, 303)
  })

  it("belong to one person, and cannot be used for another", async () => {
    const phone = await device()
    assert.strictEqual((await signIn(phone, { user: Buffer.from(here.bob.id).toString("base64url") })).status, 403)
    assert.strictEqual((await addDevice(phone)).status, 422)
    const there = await world.outfitter("Nordfjord")
    const otherCookie = await world.signedIn(there.ann)
    assert.strictEqual((await addDevice(phone, {}, otherCookie)).status, 422)
    // A challenge is valid for only one person and one purpose.
    const options = await world.requestOptions("/dashboard/passkeys/new", { cookie, form: { name: "Phone" } })
    const form = { name: "Phone", answer: new Authenticator(root).create(options) }
    assert.strictEqual((await world.ask("/dashboard/passkeys", { cookie: otherCookie, form })).status, 422)
    const phoneOptions = await world.requestOptions("/dashboard/passkeys/new", { cookie, form: { name: "Phone" } })
    assert.strictEqual((await finishSignIn(phone.get({ ...phoneOptions, rpId: "book.test" }))).status, 403)
    // Neither a colleague nor another outfitter can remove the passkey.
    for (const other of [otherCookie, await world.signedIn(here.bob)]) {
      await world.ask("/dashboard/passkeys/remove", { cookie: other, form: { id: phone.id } })
    }
    phone.user = Buffer.from(here.ann.id).toString("base64url")
    assert.strictEqual((await signIn(phone)).status, 303)
  })

  it("stop working when they are removed or their owner leaves the team", async () => {
    const phone = await device()
    await world.ask("/dashboard/passkeys/remove", { cookie, form: { id: phone.id } })
    assert.strictEqual((await signIn(phone)).status, 403)
    assert.include(await world.audit(here.orgId), "passkey.removed")

    const bobsDevice = new Authenticator(root)
    assert.strictEqual((await addDevice(bobsDevice, {}, await world.signedIn(here.bob))).status, 303)
    assert.strictEqual((await signIn(bobsDevice)).status, 303)
    await world.run(Effect.flatMap(StaffMembers, ({ remove }) => remove({ ...here.bob, by: operator })))
    assert.strictEqual((await signIn(bobsDevice)).status, 403)
    assert.deepStrictEqual(await world.run(Effect.flatMap(Passkeys, ({ list }) => list(here.bob))), [])
  })

  it("can be added only by a signed-in user on the same site", async () => {
    const { location, status } = await world.ask("/dashboard/passkeys")
    assert.deepStrictEqual([status, location], [303, "/sign-in?next=%2Fdashboard%2Fpasskeys"])
    assert.strictEqual((await world.ask("/dashboard/passkeys/new", { form: { name: "x" } })).status, 303)
    const headers = { "sec-fetch-site": "cross-site" }
    for (
      const path of ["/dashboard/passkeys/new", "/dashboard/passkeys", "/sign-in/passkey", "/sign-in/passkey/done"]
    ) {
      assert.strictEqual((await world.ask(path, { cookie, form: {}, headers })).status, 403, path)
    }
  })

  it.each(["", "{}", "null", "[]", "x".repeat(50_000), JSON.stringify({ id: "a".repeat(20), type: "public-key" })])(
    "are rejected if the device response is invalid: %#",
    async (answer) => {
      assert.strictEqual((await finishSignIn(answer)).status, 403)
      assert.strictEqual((await world.ask("/dashboard/passkeys", { cookie, form: { answer } })).status, 422)
    }
  )
})

describe("a server address that does not support passkeys", () => {
  it.each(["http://127.0.0.1:4000", "http://book.test", "https://[::1]"])(
    "hides the passkey sign-in: %s",
    async (address) => {
      const world = await open(address)
      const { ann } = await world.outfitter("Salida")
      const cookie = await world.signedIn(ann)
      assert.notInclude((await world.ask("/sign-in")).html, "/sign-in/passkey")
      assert.strictEqual((await world.ask("/sign-in/passkey")).location, "/sign-in")
      assert.strictEqual((await world.ask("/sign-in/passkey/done", { form: {} })).location, "/sign-in")
      const sentCookie = address.startsWith("https:")
        ? cookie.replace("tb_login", "__Host-tb_login").replace("__Host-__Host-", "__Host-")
        : cookie
      assert.notInclude(
        (await world.ask("/dashboard/passkeys", { cookie: sentCookie })).html,
        "/dashboard/passkeys/new"
      )
    }
  )
})
