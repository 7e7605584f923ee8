/**
 * What somebody asks before they book.
 */
import { Actor } from "@trailbook/core/actor/Actor"
import { visitAsk, visitPage } from "@trailbook/core/operation/visitOperations"
import type { Form } from "@trailbook/http/form"
import * as Effect from "effect/Effect"
import { goTo } from "../goTo.ts"
import { href } from "../ui/href.ts"
import type { Means } from "./answers.ts"
import { queryOf } from "./Choice.ts"
import type { Asking, questionPage } from "./QuestionPage.tsx"
import { typedOf } from "./Typed.ts"

type Given = Pick<Parameters<typeof questionPage>[1], "errors" | "news">

/**
 * @category constructors
 */
export const questionsOf = ({ pageOf, run, site, state, views }: Means) => {
  const org = Effect.map(run(visitPage, { offerings: false }), ({ org }) => org)

  const form = (request: Request, status: number, typed: Asking, { errors = {}, news }: Partial<Given>) =>
    Effect.gen(function*() {
      const shownNow = yield* state.make((yield* Actor).orgId, typed.key)
      return yield* pageOf(
        status,
        request,
        yield* org,
        ({ questionPage }, shown) => questionPage(shown, { typed, errors, news, state: shownNow })
      )
    })

  const blank = (request: Request) =>
    queryOf(request)["sent"] === undefined
      ? form(request, 200, { name: "", email: "", body: "", key: typedOf({}).key }, {})
      : Effect.flatMap(org, (org) => pageOf(200, request, org, ({ askedPage }, shown) => askedPage(shown)))

  const send = (request: Request, sent: Form) =>
    Effect.gen(function*() {
      const { askErrors, shown: shownTo } = yield* views
      const { email, key, name } = typedOf(sent)
      const body = sent["body"] ?? ""
      const typed = { name, email, body, key }
      const shown = shownTo(site, request)
      if (!(yield* state.isValid((yield* Actor).orgId, sent))) {
        return yield* form(request, 422, typed, { news: shown.text.book.errors.again })
      }
      const errors = askErrors(shown.text, { name, email, body })
      if (Object.keys(errors).length > 0) return yield* form(request, 422, typed, { errors })
      const { slug } = yield* org
      yield* run(visitAsk, { name, email, body, idempotency_key: key })
      return goTo(href(shown, `/book/${slug}/question`, { sent: 1 }))
    })

  return { blank, send }
}
