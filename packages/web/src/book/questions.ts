/**
 * What somebody asks before they book.
 */
import { visitAsk, visitPage } from "@trailbook/core/operation/visitOperations"
import * as Effect from "effect/Effect"
import { goTo } from "../goTo.ts"
import type { Means } from "./answers.ts"
import { queryOf } from "./Choice.ts"
import { isSpam } from "./isSpam.ts"
import type { questionPage } from "./QuestionPage.tsx"
import { typedOf } from "./Typed.ts"

type Given = Omit<Parameters<typeof questionPage>[1], "now"> & { readonly status: number }

/**
 * @category constructors
 */
export const questionsOf = ({ clock, run, site, views }: Means) => {
  const seconds = () => Math.floor(clock.unsafeCurrentTimeMillis() / 1000)

  const form = (request: Request, { status, ...given }: Given) =>
    Effect.gen(function*() {
      const { Document, questionPage, shownOf } = yield* views.effect
      const { org } = yield* run(visitPage, { offerings: false })
      const shown = shownOf(site, request, org)
      return Document.reply(status, shown, questionPage(shown, { ...given, now: seconds() }))
    })

  const blank = (request: Request) =>
    Effect.gen(function*() {
      if (queryOf(request)["sent"] === undefined) {
        const typed = { name: "", email: "", body: "", key: typedOf({}).key }
        return yield* form(request, { status: 200, typed, errors: {}, news: undefined })
      }
      const { askedPage, Document, shownOf } = yield* views.effect
      const { org } = yield* run(visitPage, { offerings: false })
      const shown = shownOf(site, request, org)
      return Document.reply(200, shown, askedPage(shown))
    })

  const send = (request: Request, sent: Readonly<Record<string, string>>) =>
    Effect.gen(function*() {
      const { askErrors, href, shown } = yield* views.effect
      const { email, key, name } = typedOf(sent)
      const body = sent["body"] ?? ""
      const typed = { name, email, body, key }
      const asked = shown(site, request)
      const { errors: messages } = asked.text.book
      if (isSpam(sent, { leastSeconds: site.leastSeconds, now: seconds() })) {
        return yield* form(request, { status: 422, typed, errors: {}, news: messages.again })
      }
      const errors = askErrors(asked.text, { name, email, body })
      if (Object.keys(errors).length > 0) return yield* form(request, { status: 422, typed, errors, news: undefined })
      const { org } = yield* run(visitPage, { offerings: false })
      yield* run(visitAsk, { name, email, body, idempotency_key: key })
      return goTo(href(asked, `/book/${org.slug}/question`, { sent: 1 }))
    })

  return { blank, send }
}
