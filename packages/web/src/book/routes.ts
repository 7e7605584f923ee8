import type { Actor } from "@trailbook/core/actor/Actor"
import { Visitors } from "@trailbook/core/actor/Visitors"
import { visitPage } from "@trailbook/core/operation/visitOperations"
import type { Refusal } from "@trailbook/core/Refusal"
import { moment } from "@trailbook/core/time/moment"
import * as AddressLimit from "@trailbook/http/AddressLimit"
import { type Form, form } from "@trailbook/http/form"
import type { Reply } from "@trailbook/http/Reply"
import type { AnyRoute, Asked, Asking } from "@trailbook/http/Route"
import * as Turns from "@trailbook/http/Turns"
import * as Effect from "effect/Effect"
import { ask } from "../ask.ts"
import { failed } from "../failed.ts"
import { foreignForm } from "../foreignForm.ts"
import { get, post } from "../methods.ts"
import { showing } from "../showing.ts"
import type { Site } from "../Site.ts"
import { answersOf } from "./answers.ts"
import { choiceOf, queryOf } from "./Choice.ts"
import { formState } from "./formState.ts"
import { questionsOf } from "./questions.ts"
import { typedOf } from "./Typed.ts"

/**
 * The booking page of every outfitter, by slug.
 *
 * @category constructors
 */
export const bookRoutes = (site: Site) =>
  Effect.gen(function*() {
    const { at } = yield* Visitors
    const run = yield* ask
    const turns = Turns.make({ each: 2, all: 4 })
    const shows = showing(site, () => import("./pages.ts"))
    const state = yield* formState(Effect.map(moment, (now) => Math.floor(now / 1000)))
    const means = { site, run, ...shows, state }
    const answers = answersOf(means)
    const questions = questionsOf(means)

    const visitor = { scope: "visit", find: ({ address, param }: Asking) => at(param("slug"), address) } as const
    const looking = AddressLimit.make({ times: 120 })
    const reading = { caller: visitor, limits: [looking], failed: failed(site) }
    const sending = { ...reading, refuse: foreignForm(site), body: form }
    const booking = { ...sending, limits: [looking, AddressLimit.make({ times: 10 })] }
    const asking = { ...sending, limits: [looking, AddressLimit.make({ times: 3, minutes: 10 })] }

    type Answer<Body> = (asked: Asked<typeof visitor, Body>) => Effect.Effect<Reply, Refusal, Actor>
    /** So many at once of one outfitter's. */
    const inTurn = <Body>(answer: Answer<Body>): Answer<Body> => (asked) => turns(asked.actor.orgId, answer(asked))
    const got = (path: `/${string}`, name: string, answer: Answer<undefined>) =>
      get(reading, path, name, inTurn(answer))
    const sent = (shared: typeof sending, path: `/${string}`, name: string, answer: Answer<Form>) =>
      post(shared, path, name, inTurn(answer))

    return [
      got("/book/:slug", "book.offerings", ({ request }) =>
        Effect.flatMap(run(visitPage, {}), ({ offerings, org }) =>
          shows.pageOf(200, request, org, ({ offeringsPage }, shown) =>
            offeringsPage(shown, offerings)))),
      got("/book/:slug/question", "book.question", ({ request }) =>
        questions.blank(request)),
      sent(asking, "/book/:slug/question", "book.ask", ({ body, request }) => questions.send(request, body)),
      got("/book/:slug/:offering", "book.times", ({ param, request }) =>
        answers.picker({ request, offering: param("offering"), choice: choiceOf(queryOf(request)) })),
      got("/book/:slug/:offering/details", "book.details", ({ param, request }) =>
        answers.details({ request, offering: param("offering"), choice: choiceOf(queryOf(request)) })),
      sent(sending, "/book/:slug/:offering/times", "book.times", ({ body, param, request }) => {
        // The day is a button's, unless another one was pressed.
        const date = body["month"] === undefined ? body["date"] ?? body["on"] : undefined
        const choice = choiceOf({ ...body, date })
        return answers.picker({ request, offering: param("offering"), choice, typed: typedOf(body) })
      }),
      sent(sending, "/book/:slug/:offering/details", "book.details", ({ body, param, request }) => {
        const choice = choiceOf({ ...body, date: body["on"] })
        return answers.details({ request, offering: param("offering"), choice, typed: typedOf(body) })
      }),
      sent(booking, "/book/:slug/:offering", "book.book", ({ body, param, request }) =>
        answers.book({ request, offering: param("offering"), choice: choiceOf(body), typed: typedOf(body) }, body))
    ] as ReadonlyArray<AnyRoute>
  })
