/** Request handlers for the questions that visitors ask before booking. */
import { Actor } from "@trailbook/core/actor"
import { publicAsk, publicPageGet } from "@trailbook/core/operation"
import type { Form } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import { redirectAfterPost } from "../redirect.ts"
import { href } from "../ui/href.ts"
import type { BookHandlerDependencies } from "./bookHandlers.ts"
import { readQueryParameters } from "./BookingSelection.ts"
import { parseContactForm } from "./ContactFormValues.ts"
import type { QuestionFormState, questionPage } from "./page/QuestionPage.tsx"

type FormMessages = Pick<Parameters<typeof questionPage>[1], "errors" | "news">

export const makeQuestionHandlers = ({ pageOf, run, site, state, views }: BookHandlerDependencies) => {
  const org = Effect.map(run(publicPageGet, { offerings: false }), ({ org }) => org)

  const form = (
    request: Request,
    status: number,
    values: QuestionFormState,
    { errors = {}, news }: Partial<FormMessages>
  ) =>
    Effect.gen(function*() {
      const signedState = yield* state.make((yield* Actor).orgId, values.key)
      return yield* pageOf(
        status,
        request,
        yield* org,
        ({ questionPage }, context) => questionPage(context, { typed: values, errors, news, state: signedState })
      )
    })

  const blank = (request: Request) =>
    readQueryParameters(request)["sent"] === undefined
      ? form(request, 200, { name: "", email: "", body: "", key: parseContactForm({}).key }, {})
      : Effect.flatMap(org, (org) =>
        pageOf(200, request, org, ({ questionSentPage }, context) => questionSentPage(context)))

  const send = (request: Request, fields: Form) =>
    Effect.gen(function*() {
      const { makeRenderContext, findQuestionFormErrors } = yield* views
      const { email, key, name } = parseContactForm(fields)
      const body = fields["body"] ?? ""
      const values = { name, email, body, key }
      const context = makeRenderContext(site, request)
      if (!(yield* state.isValid((yield* Actor).orgId, fields))) {
        return yield* form(request, 422, values, { news: context.text.book.errors.again })
      }
      const errors = findQuestionFormErrors(context.text, { name, email, body })
      if (Object.keys(errors).length > 0) return yield* form(request, 422, values, { errors })
      const { slug } = yield* org
      yield* run(publicAsk, { name, email, body, idempotency_key: key })
      return redirectAfterPost(href(context, `/book/${slug}/question`, { sent: 1 }))
    })

  return { blank, send }
}
