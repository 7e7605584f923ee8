/**
 * Request handlers for an offering's pages (the picker, the contact form, and the result of the booking), and for the
 * questions that visitors ask before booking.
 */
import { notFound, type Refusal } from "@trailbook/core"
import { Actor } from "@trailbook/core/actor"
import {
  publicAsk,
  publicAvailability,
  publicBook,
  type PublicMonthView,
  publicPageGet,
  publicProve,
  publicRequestProof
} from "@trailbook/core/operation"
import type { Form } from "@trailbook/http/request/formBody"
import type { Reply } from "@trailbook/http/response/Reply"
import * as Effect from "effect/Effect"
import { redirectAfterPost } from "../defineRoute.ts"
import { isUuid, type OperationCaller } from "../operationCaller.ts"
import type { makePageRenderer } from "../pageRenderer.ts"
import type { Site } from "../Site.ts"
import { href } from "../ui/href.ts"
import type { RenderContext } from "../ui/RenderContext.ts"
import {
  type BookingSelection,
  type ContactFormValues,
  getSlotKey,
  parseContactForm,
  readQueryParameters
} from "./BookingSelection.ts"
import type { FormStateSigner } from "./formStateSigner.ts"
import type { QuestionFormState, questionPage } from "./page/QuestionPage.tsx"
import type * as Pages from "./pages.ts"

interface BookHandlerDependencies extends ReturnType<typeof makePageRenderer<typeof Pages>> {
  readonly site: Site
  readonly run: OperationCaller
  readonly state: FormStateSigner
}

/** The requested offering, the guest's choices, and any typed contact details. */
interface BookingFormState {
  readonly request: Request
  readonly offering: string
  readonly choice: BookingSelection
  readonly contactDetails?: ContactFormValues
}

const toRetryHeaders = ({ retryAfterSeconds }: Refusal) =>
  retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }

const loadOrg = (run: OperationCaller) => Effect.map(run(publicPageGet, { offerings: false }), ({ org }) => org)

export const makeBookHandlers = ({ pageOf, run, site, state, views }: BookHandlerDependencies) => {
  const loadMonth = (
    offering: string,
    { date, month, party, periods, quantity }: BookingSelection,
    code = ""
  ): Effect.Effect<PublicMonthView, Refusal, Actor> =>
    isUuid(offering)
      ? run(publicAvailability, {
        id: offering,
        ...(party ?? { quantity }),
        date,
        month: month && `${month}-01`,
        periods,
        discount_code: code || undefined
      })
      : notFound("offering", offering.slice(0, 40))

  const renderPicker = (
    { choice, request, contactDetails }: BookingFormState,
    monthView: PublicMonthView,
    isLost: boolean
  ) =>
    pageOf(
      isLost ? 409 : 200,
      request,
      monthView.org,
      ({ pickerPage }, context) =>
        pickerPage({ context, monthView, slot: isLost ? undefined : choice.slot, contactDetails, isLost })
    )

  /**
   * Shows the picker after a start time became unavailable. Stays on the same day if another of its start times is
   * available. Otherwise, shows the month's first available day.
   */
  const renderLost = (formState: BookingFormState) =>
    Effect.gen(function*() {
      const { choice, offering } = formState
      const { hasEnoughCapacity } = yield* views
      const monthView = yield* loadMonth(offering, choice)
      const hasStart = monthView.slots.some((slot) => hasEnoughCapacity({ monthView }, slot))
      return yield* renderPicker(
        formState,
        hasStart ? monthView : yield* loadMonth(offering, { ...choice, date: undefined }),
        true
      )
    })

  /** Shows the contact form with errors and a message, or the picker if the start time is no longer available. */
  const renderForm = (
    formState: BookingFormState,
    status: number,
    { errors = {}, isUnproven = false, news }: Partial<Pick<Pages.DetailsPageProps, "errors" | "isUnproven" | "news">>
  ) =>
    Effect.gen(function*() {
      const { choice, offering, request, contactDetails = parseContactForm({}) } = formState
      const { hasEnoughCapacity } = yield* views
      const code = errors.discount_code === undefined ? contactDetails.discount_code : ""
      const { isCodeInvalid, monthView } = yield* loadMonth(offering, choice, code).pipe(
        Effect.map((monthView) => ({ monthView, isCodeInvalid: false })),
        Effect.catchIf(
          (refusal) => code !== "" && (refusal.code === "discount_invalid" || refusal.code === "invalid_request"),
          () => Effect.map(loadMonth(offering, choice), (monthView) => ({ monthView, isCodeInvalid: true }))
        )
      )
      const slot = monthView.slots.find((slot) => getSlotKey(slot) === choice.slot)
      if (slot === undefined || !hasEnoughCapacity({ monthView }, slot)) return yield* renderLost(formState)
      const signedState = yield* state.make((yield* Actor).orgId, contactDetails.key)
      return yield* pageOf(status, request, monthView.org, ({ detailsPage }, context) => {
        const props = { context, monthView, slot: choice.slot, contactDetails: undefined, isLost: false }
        const codeError = isCodeInvalid ? { discount_code: context.text.book.errors.discount_code } : {}
        return detailsPage({
          pageProps: props,
          slot,
          typed: contactDetails,
          errors: { ...errors, ...codeError },
          news,
          isUnproven,
          state: signedState
        })
      })
    })

  const picker = (formState: BookingFormState) =>
    Effect.flatMap(
      loadMonth(formState.offering, formState.choice),
      (monthView) => renderPicker(formState, monthView, false)
    )

  const details = (formState: BookingFormState) =>
    formState.choice.slot === undefined ? picker(formState) : renderForm(formState, 200, {})

  type TypedForm = BookingFormState & { readonly contactDetails: ContactFormValues }

  /** Refuses the form if the visitor has tried too many discount codes. */
  const limitCodes = <R>(
    formState: TypedForm,
    mayTryCode: Effect.Effect<boolean>,
    respond: (formState: TypedForm) => Effect.Effect<Reply, Refusal, R>
  ) =>
    Effect.gen(function*() {
      if (formState.contactDetails.discount_code === "" || (yield* mayTryCode)) return yield* respond(formState)
      const { makeRenderContext } = yield* views
      const { book } = makeRenderContext(site, formState.request).text
      return yield* renderForm(formState, 429, { errors: { discount_code: book.errors.tooManyCodes } })
    })

  /** Shows the form again if it was not rendered by this service or has invalid fields. */
  const refuseInvalid = (formState: TypedForm, body: Form, { text }: RenderContext) =>
    Effect.gen(function*() {
      const { findBookingFormErrors } = yield* views
      if (!(yield* state.isValid((yield* Actor).orgId, body))) {
        return yield* renderForm(formState, 422, { news: text.book.errors.again })
      }
      const errors = findBookingFormErrors(text, formState.contactDetails)
      return Object.keys(errors).length > 0 ? yield* renderForm(formState, 422, { errors }) : undefined
    })

  const book = (formState: TypedForm, body: Form) =>
    Effect.gen(function*() {
      const { choice, offering, request, contactDetails } = formState
      const { makeRenderContext } = yield* views
      const context = makeRenderContext(site, request)
      const { book } = context.text
      const { slot } = choice
      if (slot === undefined || !isUuid(offering)) return yield* picker(formState)
      const refusedForm = yield* refuseInvalid(formState, body, context)
      if (refusedForm !== undefined) return refusedForm

      const { discount_code, email, key, name, notes, phone } = contactDetails
      const booking = run(publicBook, {
        offering_id: offering,
        ...(isUuid(slot) ? { session_id: slot } : { starts_at: slot }),
        ...(choice.party ?? { quantity: choice.quantity }),
        periods: choice.periods,
        name,
        email,
        phone,
        notes,
        language: context.reader.language,
        ...(discount_code === "" ? {} : { discount_code }),
        ...(/^\d{1,16}$/.test(body["total"] ?? "") ? { expected_total_cents: Number(body["total"]) } : {}),
        idempotency_key: key
      })
      const confirmation = Effect.flatMap(booking, (createdBooking) =>
        Effect.gen(function*() {
          const { checkout_url: checkout, handle } = createdBooking
          if (checkout === null && !context.isEmbedded) {
            return redirectAfterPost(href(context, `/b/${handle}`, { new: 1 }))
          }
          const monthView = yield* loadMonth(offering, choice)
          return yield* pageOf(200, request, monthView.org, (pages, pageContext) => {
            const props = { context: pageContext, monthView, slot, contactDetails: undefined, isLost: false }
            return checkout === null
              ? pages.bookingConfirmationPage(props, createdBooking, email)
              : pages.checkoutLinkPage(props, createdBooking, checkout)
          })
        }))
      return yield* Effect.catchAll(confirmation, (refusal): Effect.Effect<Reply, Refusal, Actor> => {
        switch (refusal.code) {
          case "slot_full":
          case "slot_unavailable":
          case "session_cancelled":
            return renderLost(formState)
          case "offering_paused":
            return notFound("offering", offering)
          case "party_invalid":
            return picker(formState)
          case "discount_invalid":
            return renderForm(formState, 409, { errors: { discount_code: book.errors.discount_code } })
          case "price_changed":
            // The page showed the price without the discount, so the guest must confirm the discounted price.
            return renderForm(formState, 409, { news: discount_code === "" ? book.priceChanged : book.codeApplied })
          case "idempotency_conflict":
            return renderForm({ ...formState, contactDetails: { ...contactDetails, key: crypto.randomUUID() } }, 409, {
              news: book.conflict
            })
          case "email_unproven":
          case "rate_limited": {
            const { code, retryAfterSeconds = 60 } = refusal
            const isUnproven = code === "email_unproven"
            const news = isUnproven ? book.unproven.needed : book.holds(Math.ceil(retryAfterSeconds / 60))
            return Effect.map(
              renderForm(formState, 429, { isUnproven, news }),
              (reply) => ({ ...reply, headers: { ...reply.headers, ...toRetryHeaders(refusal) } })
            )
          }
          case "unavailable":
            return renderForm(formState, 503, { news: book.busy })
          default:
            return Effect.fail(refusal)
        }
      })
    })

  /** Emails a link that confirms the typed address, and then shows the form again. */
  const requestProof = (formState: TypedForm, body: Form) =>
    Effect.gen(function*() {
      const { choice, request, contactDetails: { email } } = formState
      const { makeRenderContext } = yield* views
      const context = makeRenderContext(site, request)
      const { reader, text } = context
      if (choice.slot === undefined) return yield* picker(formState)
      const refusedForm = yield* refuseInvalid(formState, body, context)
      if (refusedForm !== undefined) return refusedForm
      yield* run(publicRequestProof, { email, language: reader.language })
      return yield* renderForm(formState, 200, { news: text.book.unproven.sent(email) })
    })

  const org = loadOrg(run)

  /**
   * Returns the page for the mailed link. The link is used up only when the guest presses the button on the page,
   * because mail scanners open links.
   */
  const proof = (request: Request) =>
    Effect.flatMap(
      org,
      (org) =>
        pageOf(200, request, org, ({ addressConfirmationPage }, context) => addressConfirmationPage(context, "new"))
    )

  const prove = (request: Request, link: string) =>
    Effect.gen(function*() {
      const isValid = yield* run(publicProve, { link: link.slice(0, 100) }).pipe(
        Effect.as(true),
        Effect.catchIf(({ code }) => code === "unauthorized", () => Effect.succeed(false))
      )
      return yield* pageOf(
        isValid ? 200 : 410,
        request,
        yield* org,
        ({ addressConfirmationPage }, context) => addressConfirmationPage(context, isValid ? "used" : "invalid")
      )
    })

  return { picker, details, limitCodes, book, requestProof, proof, prove }
}

type FormMessages = Pick<Parameters<typeof questionPage>[1], "errors" | "news">

/** Creates the request handlers for the questions that visitors ask before booking. */
export const makeQuestionHandlers = ({ pageOf, run, site, state, views }: BookHandlerDependencies) => {
  const org = loadOrg(run)

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
