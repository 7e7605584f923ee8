/**
 * Guest text stays data wherever a language model reads it: in draft prompts, and in the results of the outfitter's
 * tools. It never becomes an instruction, a field, or a call.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { Actor, makeHostActor, VisitorAccess, withAssistantSource } from "@trailbook/core/actor"
import { ConversationStore, Drafter, type DraftPrompt, MailIntake } from "@trailbook/core/conversation"
import { sanitizeDraft } from "@trailbook/core/conversation/draft/sanitizeDraft"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import * as Instant from "@trailbook/core/time/Instant"
import { ChatCompletions } from "@trailbook/drafter"
import * as McpHandlers from "@trailbook/mcp/McpHandlers"
import { allTools } from "@trailbook/mcp/ToolFilter"
import * as Memory from "@trailbook/memory"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeFiles } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Attempt, attempts } from "./injections/attempts.ts"

interface Answer {
  readonly [field: string]: unknown
  readonly id: string
  readonly data: ReadonlyArray<Answer>
}

const prompts: Array<DraftPrompt> = []
/** Replies with the guest's last text, like a model that obeys every word. */
const obedient = Layer.succeed(
  Drafter,
  Drafter.of({
    draft: (prompt) =>
      Effect.sync(() => {
        prompts.push(prompt)
        const { messages }: Material = JSON.parse(prompt.material)
        return messages.findLast(({ from }) => from === "guest")?.text ?? "Hello."
      })
  })
)

interface Material {
  readonly messages: ReadonlyArray<{ readonly from: string; readonly text: string }>
}

const open = async () => {
  const clock = await Effect.runPromise(SettableClock.make(Instant.parse("2027-05-01T14:00:00Z") ?? Instant.min))
  const layer = engineLayer(TestIds.layer(1), "none", { drafter: obedient, files: FakeFiles.layer }).pipe(
    Layer.provideMerge(Memory.layer)
  )
  const runtime = ManagedRuntime.make(Layer.provide(layer, Layer.setClock(clock)))
  const run = <A, E>(work: Effect.Effect<A, E, Layer.Layer.Success<typeof layer>>) =>
    runtime.runPromise(Effect.withClock(work, clock))
  const mcp = await run(McpHandlers.make)
  return { run, mcp, close: () => runtime.dispose() }
}

type World = Awaited<ReturnType<typeof open>>

const callAs = ({ run }: World, actor: Actor["Type"]) => (name: string, input: object): Promise<Answer> =>
  run(
    Effect.flatMap(Registry, (registry) => registry.run(name, input)).pipe(
      Effect.provideService(Actor, actor),
      Effect.map((answer) => answer as Answer)
    )
  )

const pdf = new TextEncoder().encode("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")

/** Creates an outfitter whose guests enter the attack text in every field that a guest can fill in. */
const attacked = async (world: World, texts: ReadonlyArray<string>) => {
  const { run } = world
  const { id: orgId, slug } = await run(
    Effect.flatMap(Orgs, (orgs) => orgs.create({ name: "Salida River Co.", timezone: "America/Denver" }))
  )
  const call = callAs(world, makeHostActor({ orgId }))
  const visitor = await run(Effect.flatMap(VisitorAccess, ({ findVisitor }) => findVisitor(slug)))
  const visit = callAs(world, visitor)
  const { id: offering } = await call("offerings.create", {
    name: "Raft",
    kind: "class",
    capacity: 99,
    price_cents: 9500,
    info: { bring: "Shoes.", requirements: "Swimming.", min_age: 8, waiver_url: null }
  })
  const { data: [session] } = await call("sessions.create", {
    offering_id: offering,
    starts_at: "2027-05-03T15:00:00Z"
  })
  const guests = await Promise.all(texts.map(async (text, at) => {
    const email = `guest${at}@example.com`
    const booking = await call("bookings.create", {
      offering_id: offering,
      session_id: session?.id,
      customer: { email, name: text.slice(0, 120), phone: text.slice(0, 40) },
      notes: text.slice(0, 500)
    })
    const { conversation_id: conversation } = await call("messages.send", { booking_id: booking.id, body: "Hello." })
    await run(Effect.gen(function*() {
      const [thread] = yield* (yield* ConversationStore).findByCustomer([{ orgId, id: String(booking.customer_id) }])
      const mail = {
        purpose: "reply" as const,
        token: thread?.token ?? "",
        mailKey: `${orgId}${at}`,
        messageId: null,
        from: { name: text, email },
        subject: text,
        body: text,
        quotedText: text,
        files: [{ name: `${text.replaceAll("/", " ").slice(0, 80)}.pdf`, type: "application/pdf", bytes: pdf }],
        automatic: false
      }
      assert.strictEqual(yield* (yield* MailIntake).acceptReply(mail), "taken")
    }))
    const asker = { name: text.replace(/[^\p{L}\p{N} ]/gu, " ").slice(0, 40), email: `asker${at}@example.com` }
    const key = `0199aaaa-0000-4000-8000-${String(at).padStart(12, "0")}`
    await visit("visit.ask", { ...asker, body: text, idempotency_key: key })
    return { booking, conversation: String(conversation) }
  }))
  const { data: conversations } = await call("conversations.list", { limit: 500 })
  return { orgId, call, guests, conversations }
}

/** Returns the paths of all strings and keys that contain the marker. */
const pathsOf = (value: unknown, marker: string, path = ""): ReadonlyArray<string> =>
  typeof value === "string"
    ? value.includes(marker) ? [path] : []
    : typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [
      ...(key.includes(marker) ? [`key at ${path}`] : []),
      ...pathsOf(inner, marker, `${path}/${Array.isArray(value) ? "*" : key}`)
    ])
    : []

/** Returns a JSON value's shape: its keys, and the shapes of its first items. */
const shapeOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? [...new Set(value.map((inner: unknown) => JSON.stringify(shapeOf(inner))))].toSorted()
    : typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]))
    : typeof value

const languages = [...new Set(attempts.map(({ language }) => language))]

describe("60 injection attempts in 10 languages", () => {
  let world: World
  beforeAll(async () => {
    world = await open()
  })
  afterAll(() => world.close())

  it("are unique", () => {
    assert.lengthOf(languages, 10)
    assert.lengthOf(new Set(attempts.map(({ text }) => text)), 60)
  })

  const draft = async ({ call }: Awaited<ReturnType<typeof attacked>>, conversation_id: string) => {
    const answer = await call("messages.draft", { conversation_id })
    return { answer, prompt: prompts.at(-1) ?? assert.fail() }
  }

  it.each(languages)("stay inside a draft prompt's data: %s", async (language) => {
    const benign = await attacked(world, ["Is the water cold?"])
    const usual = await draft(benign, benign.guests[0]?.conversation ?? "")
    const ownAttempts = attempts.filter((attempt) => attempt.language === language)
    const org = await attacked(world, ownAttempts.map(({ text }) => text))
    for (const [at, attempt] of ownAttempts.entries()) {
      const { answer, prompt } = await draft(org, org.guests[at]?.conversation ?? "")
      assert.hasAllKeys(prompt, ["instructions", "material"])
      assert.strictEqual(prompt.instructions, usual.prompt.instructions)
      const material: unknown = JSON.parse(prompt.material)
      assert.deepStrictEqual(shapeOf(material), shapeOf(JSON.parse(usual.prompt.material)))
      assert.sameMembers([...new Set(pathsOf(material, attempt.marker))], [
        "/guest",
        "/messages/*/subject",
        "/messages/*/text",
        "/messages/*/files/*"
      ])
      for (const other of attempts) if (other !== attempt) assert.notInclude(prompt.material, other.marker)
      // The complete text is a single string in the data.
      const { messages }: Material = JSON.parse(prompt.material)
      assert.strictEqual(messages.at(-1)?.text, attempt.text)
      // Even if the model obeys the attempt, the result is only text without links.
      assert.hasAllKeys(answer, ["text"])
      assert.strictEqual(answer.text, sanitizeDraft(attempt.text, []))
      assert.notMatch(String(answer.text), /https?:|evil\.example/)
    }
    await changesNothing(org, ownAttempts)
  })

  const changesNothing = async (
    { call, guests }: Awaited<ReturnType<typeof attacked>>,
    ownAttempts: ReadonlyArray<Attempt>
  ) => {
    const { data: events } = await call("events.list", { limit: 500 })
    const types = new Set(events.map(({ type }) => type))
    for (const type of ["booking.cancelled", "booking.refunded", "booking.moved", "customer.deleted"]) {
      assert.isFalse(types.has(type), type)
    }
    assert.lengthOf(guests, ownAttempts.length)
    for (const { booking } of guests) {
      const now = await call("bookings.get", { id: booking.id })
      assert.deepStrictEqual([now.status, now.paid_cents], ["confirmed", 0])
    }
  }

  it.each(languages)("stay inside guest_wrote in tool results: %s", async (language) => {
    const ownAttempts = attempts.filter((attempt) => attempt.language === language)
    const { conversations, guests, orgId } = await attacked(world, ownAttempts.map(({ text }) => text))
    assert.lengthOf(conversations, 2 * ownAttempts.length)
    const { mcp, run } = world
    const caller = {
      actor: withAssistantSource(makeHostActor({ orgId, scopes: ["read", "write"] })),
      toolFilter: allTools
    }
    const results: ReadonlyArray<readonly [tool: string, input: object]> = [
      ["bookings_list", { limit: 50 }],
      ["customers_list", { limit: 50 }],
      ["conversations_list", { limit: 50 }],
      ["messages_list", { limit: 50 }],
      ["schedule_get", { from: "2027-05-03" }],
      ["events_list", { limit: 50 }],
      ["desk_find", { q: "guest0@example.com" }],
      ...guests.flatMap(({ booking, conversation }) =>
        [
          ["bookings_get", { id: booking.id }],
          ["customers_get", { id: booking.customer_id }],
          ["conversations_get", { id: conversation }]
        ] as const
      ),
      ...conversations.map(({ id }) => ["conversations_get", { id }] as const)
    ]
    const toolsSeen = new Set<string>()
    for (const [tool, input] of results) {
      const operation = mcp.tools.find(tool) ?? assert.fail(tool)
      const { content: [text], isError, structuredContent } = await run(mcp.tools.call(caller, operation, { ...input }))
      assert.isUndefined(isError, `${tool} ${text?.text}`)
      const outside = text?.text.replace(/"(?:[^"\\]|\\.)*"/g, "")
      for (const { marker } of ownAttempts) {
        const paths = pathsOf(structuredContent, marker)
        if (paths.length > 0) toolsSeen.add(tool)
        for (const path of paths) assert.match(path, /\/guest_wrote\//, `${tool} ${path}`)
        assert.notInclude(outside, marker, tool)
      }
    }
    assert.includeMembers([...toolsSeen], [
      "bookings_list",
      "customers_get",
      "conversations_get",
      "messages_list",
      "desk_find"
    ])
    assert.notInclude(await run(mcp.instructions(caller)), "Zq")
  })

  it("reach the model as user messages, without tools", async () => {
    const bodies: Array<Readonly<Record<string, unknown>>> = []
    const fake: typeof fetch = async (_, init) => {
      bodies.push(JSON.parse(await new Response(init?.body).text()))
      return new Response(JSON.stringify({ choices: [{ message: { content: "Yes." } }] }), {
        headers: { "content-type": "application/json" }
      })
    }
    const service = ChatCompletions.layer({ url: "http://127.0.0.1:1/v1", model: "m" }).pipe(
      Layer.provide(FetchHttpClient.layer),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fake))
    )
    for (const { text } of attempts) {
      const prompt = { instructions: "Fixed.", material: JSON.stringify({ guest: text }) }
      await Effect.runPromise(Effect.provide(Effect.flatMap(Drafter, ({ draft }) => draft(prompt)), service))
      assert.deepStrictEqual(bodies.at(-1), {
        model: "m",
        messages: [{ role: "system", content: "Fixed." }, { role: "user", content: prompt.material }]
      })
    }
  })
})
