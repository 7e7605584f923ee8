import type { Actor } from "@trailbook/core/actor/Actor"
import { Visitors } from "@trailbook/core/actor/Visitors"
import { visitPage } from "@trailbook/core/operation/visitOperations"
import * as AddressLimit from "@trailbook/http/AddressLimit"
import { form } from "@trailbook/http/form"
import { none } from "@trailbook/http/noBody"
import type { Reply } from "@trailbook/http/Reply"
import type { AnyRoute, Caller } from "@trailbook/http/Route"
import * as Turns from "@trailbook/http/Turns"
import * as Effect from "effect/Effect"
import { ask } from "../ask.ts"
import { failed } from "../failed.ts"
import { foreign } from "../foreign.ts"
import { lazily } from "../lazily.ts"
import type { Site } from "../Site.ts"
import { answersOf } from "./answers.ts"
import { choiceOf, queryOf } from "./Choice.ts"
import { questionsOf } from "./questions.ts"
import { typedOf } from "./Typed.ts"

type Visiting = Exclude<Caller, "anybody">

/**
 * The booking page of every outfitter, by slug.
 *
 * @category constructors
 */
export const bookRoutes = (site: Site) =>
  Effect.gen(function*() {
    const { at } = yield* Visitors
    const run = yield* ask
    const clock = yield* Effect.clock
    const turns = Turns.make({ each: 2, all: 4 })
    const views = lazily(() => import("./pages.ts"))
    const answers = answersOf({ site, run, views, clock })
    const questions = questionsOf({ site, run, views, clock })

    const visitor: Visiting = { scope: "visit", find: ({ param }) => at(param("slug")) }
    const looking = AddressLimit.make({ times: 120 })
    const reading = { method: "GET", caller: visitor, limits: [looking], failed: failed(site), body: none } as const
    const sending = {
      ...reading,
      method: "POST",
      refuse: foreign(site),
      body: form
    } as const
    const booking = { ...sending, limits: [looking, AddressLimit.make({ times: 10 })] }
    const asking = { ...sending, limits: [looking, AddressLimit.make({ times: 3, minutes: 10 })] }

    interface Asked {
      readonly actor: Actor["Type"]
      readonly request: Request
      readonly param: (name: string) => string
    }
    const inTurn = <A extends Asked, E, R>(answer: (asked: A) => Effect.Effect<Reply, E, R>) => (asked: A) =>
      turns(asked.actor.orgId, answer(asked))

    const routes: ReadonlyArray<AnyRoute> = [
      {
        ...reading,
        path: "/book/:slug",
        name: "book.offerings",
        answer: inTurn(({ request }: Asked) =>
          Effect.gen(function*() {
            const { offerings, org } = yield* run(visitPage, {})
            const { Document, offeringsPage, shownOf } = yield* views.effect
            const shown = shownOf(site, request, org)
            return Document.reply(200, shown, offeringsPage(shown, offerings))
          })
        )
      },
      {
        ...reading,
        path: "/book/:slug/question",
        name: "book.question",
        answer: inTurn(({ request }: Asked) => questions.blank(request))
      },
      {
        ...asking,
        path: "/book/:slug/question",
        name: "book.ask",
        answer: inTurn(({ body, request }: Asked & { readonly body: Readonly<Record<string, string>> }) =>
          questions.send(request, body)
        )
      },
      {
        ...reading,
        path: "/book/:slug/:offering",
        name: "book.times",
        answer: inTurn(({ param, request }: Asked) =>
          answers.picker(request, param("offering"), choiceOf(queryOf(request)))
        )
      },
      {
        ...reading,
        path: "/book/:slug/:offering/details",
        name: "book.details",
        answer: inTurn(({ param, request }: Asked) =>
          answers.details(request, param("offering"), choiceOf(queryOf(request)), undefined)
        )
      },
      {
        ...sending,
        path: "/book/:slug/:offering/times",
        name: "book.times",
        answer: inTurn(({ body, param, request }: Asked & { readonly body: Readonly<Record<string, string>> }) => {
          // The day is a button's, unless another one was pressed.
          const date = body["month"] === undefined ? body["date"] ?? body["on"] : undefined
          return answers.picker(request, param("offering"), choiceOf({ ...body, date }), typedOf(body))
        })
      },
      {
        ...sending,
        path: "/book/:slug/:offering/details",
        name: "book.details",
        answer: inTurn(({ body, param, request }: Asked & { readonly body: Readonly<Record<string, string>> }) =>
          answers.details(request, param("offering"), choiceOf({ ...body, date: body["on"] }), typedOf(body))
        )
      },
      {
        ...booking,
        path: "/book/:slug/:offering",
        name: "book.book",
        answer: inTurn(({ body, param, request }: Asked & { readonly body: Readonly<Record<string, string>> }) =>
          answers.book(request, param("offering"), choiceOf(body), body)
        )
      }
    ]
    return routes
  })
