/**
 * The routes for a guest's booking pages, addressed by handle. They parse requests, run `guestOperations`, and render
 * pages. GET requests never change anything, even when they come from mailed links.
 */
import { type Refusal, refuse } from "@trailbook/core"
import type { Actor, GuestActor } from "@trailbook/core/actor"
import { GuestAccess } from "@trailbook/core/booking"
import { GuestQuota, type GuestSender } from "@trailbook/core/conversation"
import { Attachments, fileTooLargeRefusal, maxFileBytes, maxFilesPerMessage } from "@trailbook/core/file"
import {
  guestAvailability,
  guestCalendar,
  guestCancel,
  guestCheckout,
  guestFile,
  guestGet,
  guestLink,
  guestMove,
  guestOpen,
  guestProve,
  guestRead,
  guestSent,
  guestWrite
} from "@trailbook/core/operation"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as FairQueue from "@trailbook/http/limit/FairQueue"
import * as IpRateLimit from "@trailbook/http/limit/IpRateLimit"
import { makeFileReply } from "@trailbook/http/request/attachmentRoutes"
import { formBody } from "@trailbook/http/request/formBody"
import { type FormWithFiles, makeMultipartFormBody } from "@trailbook/http/request/multipartFormBody"
import type { Reply } from "@trailbook/http/response/Reply"
import type { AnyRoute, RouteRequest, UnauthenticatedRequest } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { getSlotKey } from "../book/BookingSelection.ts"
import { checkFormOrigin, get, post } from "../defineRoute.ts"
import { isUuid, makeOperationCaller } from "../operationCaller.ts"
import { importLazily, makeErrorRenderer } from "../pageRenderer.ts"
import type { Site } from "../Site.ts"
import type { Page } from "../ui/Document.tsx"
import { href } from "../ui/href.ts"
import type { OrgRenderContext } from "../ui/RenderContext.ts"
import { makeGuessLimit } from "./checkInRoutes.ts"
import * as Quota from "./GuestQuota.ts"
import type { CompletedAction } from "./pages.ts"

const views = importLazily(() => import("./pages.ts"))

/** The number of days in the start time picker. */
const daysPerPage = 14

export const guestRoutes = (site: Site) =>
  Effect.gen(function*() {
    const attachments = Option.getOrUndefined(yield* Effect.serviceOption(Attachments))
    const { findGuest } = yield* GuestAccess
    const run = yield* makeOperationCaller
    const quota = Option.getOrElse(yield* Effect.serviceOption(GuestQuota), () => Quota.make())
    const enqueue = FairQueue.make({ each: 2, all: 4 })
    // Handles submissions with the same form key one at a time, so files are stored only once.
    const serialize = FairQueue.make({ each: 1, all: Infinity })

    const limitUnknown = makeGuessLimit()
    const defaults = {
      caller: {
        scope: "guest",
        find: ({ address, param }: UnauthenticatedRequest) => limitUnknown(address, findGuest(param("handle")))
      },
      renderError: makeErrorRenderer(site)
    } as const
    const readDefaults = { ...defaults, limits: [IpRateLimit.make({ times: 240 })] }
    const formDefaults = { ...defaults, body: formBody, refuse: checkFormOrigin(site) }
    const changeDefaults = { ...formDefaults, limits: [IpRateLimit.make({ times: 60 })] }
    const mailDefaults = { ...formDefaults, limits: [IpRateLimit.make({ times: 5, minutes: 15 })] }

    /** Makes a single call to read the data that every view needs. */
    const loadPage = (request: Request) =>
      Effect.gen(function*() {
        const page = yield* run(guestGet, readPass(request))
        const { Document, makeOrgRenderContext, ...pages } = yield* views.effect
        const context = makeOrgRenderContext(site, request, page.org)
        const reply = (status: number, page: Page) => Document.makePageReply(status, context, page)
        return { ...pages, page, shown: context, reply }
      })

    type LoadedPage = Effect.Effect.Success<ReturnType<typeof loadPage>>
    const renderPage = (status: number, request: Request, view: (loadedPage: LoadedPage) => Page) =>
      Effect.map(loadPage(request), (loadedPage) => loadedPage.reply(status, view(loadedPage)))

    const renderClosed = (request: Request) =>
      renderPage(409, request, ({ bookingClosedPage, page, shown }) => bookingClosedPage(shown, page))

    /** Renders the page with a link to the checkout, because a form response cannot redirect to another site. */
    const renderCheckout = (request: Request, input: { readonly opens_balance?: true }) =>
      Effect.flatMap(run(guestCheckout, input), ({ url }) =>
        renderPage(200, request, ({ page, payPage, shown }) => payPage(shown, page, url)))

    /** Redirects to the booking page. */
    const redirectToBooking = (
      { param, request }: UnauthenticatedRequest,
      query: { readonly done?: CompletedAction } = {},
      fragment = ""
    ): Reply => {
      const location = href({ site, url: new URL(request.url) }, `/b/${param("handle")}`, query) + fragment
      return { status: 303, body: null, headers: { location, "cache-control": "no-store" } }
    }

    /** Shows the start time picker around the requested date, but no earlier than today. */
    const renderPicker = (request: Request, requestedDate: string | undefined, error: "lost" | "choose" | undefined) =>
      Effect.gen(function*() {
        const { bookingClosedPage, movePage, page, reply, shown } = yield* loadPage(request)
        if (!page.changes.may_move) {
          return reply(409, bookingClosedPage(shown, page))
        }
        const today = LocalDate.parse(shown.format.localDate(page.now)) ?? LocalDate.make(0)
        const requestedDay = LocalDate.parse(requestedDate ?? shown.format.localDate(page.booking.starts_at)) ?? today
        const first = requestedDay < today ? today : requestedDay
        const last = LocalDate.addDays(first, daysPerPage - 1)
        const [from, until] = [LocalDate.format(first), LocalDate.format(last)]
        const { data: slots } = yield* run(guestAvailability, { from, to: until })
        const previousFirst = LocalDate.addDays(first, -daysPerPage)
        return reply(
          error === undefined ? 200 : 409,
          movePage(shown, page, {
            from,
            to: until,
            slots,
            wrong: error,
            earlier: first === today ? undefined : LocalDate.format(previousFirst < today ? today : previousFirst),
            later: LocalDate.format(LocalDate.addDays(first, daysPerPage))
          })
        )
      })

    /** Shows the confirmation page for a move to a start time. */
    const renderConfirmation = (request: Request, requestedDate: string | undefined, slotName: string) =>
      Effect.gen(function*() {
        const { bookingClosedPage, moveConfirmationPage, page, reply, shown } = yield* loadPage(request)
        if (!page.changes.may_move) {
          return reply(409, bookingClosedPage(shown, page))
        }
        const first = LocalDate.parse(requestedDate ?? "") ?? LocalDate.parse(shown.format.localDate(page.now))
        if (first === undefined) {
          return yield* renderPicker(request, requestedDate, "choose")
        }
        const from = LocalDate.format(first)
        const to = LocalDate.format(LocalDate.addDays(first, daysPerPage - 1))
        const { data } = yield* run(guestAvailability, { from, to })
        const slot = data.find((one) =>
          getSlotKey(one) === slotName
        )
        return slot === undefined
          ? yield* renderPicker(request, requestedDate, "lost")
          : reply(200, moveConfirmationPage(shown, page, { from, slot }))
      })

    /** Stores a form's files. Unused files are deleted after 24 hours. */
    const storeFiles = (sender: GuestSender, { files }: FormWithFiles) =>
      Effect.gen(function*() {
        const { orgId } = sender
        if (files.length > maxFilesPerMessage) return yield* Effect.fail({ why: "many" } as const)
        if (files.length === 0) return []
        if (attachments === undefined) return yield* Effect.fail({ why: "later" } as const)
        const seconds = quota.waitForFiles(sender)
        if (seconds !== undefined) return yield* Effect.fail({ why: "files", seconds } as const)
        return yield* Effect.forEach(files, (file) =>
          Effect.mapBoth(enqueue(orgId, attachments.keep({ orgId, ...file })), {
            onFailure: ({ code }) => ({ why: failureReasons[code] ?? "broken" as const }),
            onSuccess: ({ id, name, size }) => {
              quota.chargeFile(sender, size)
              return { id, name }
            }
          }))
      })

    /** Sends a message with its files, at most once per form key. A repeated submission stores nothing. */
    const sendMessage = (
      { actor, body }: Pick<RouteRequest<typeof defaults["caller"], FormWithFiles>, "actor" | "body">,
      messageText: string
    ): Effect.Effect<void, MessageFailure | Refusal, Actor> =>
      Effect.gen(function*() {
        const keyField = body.fields["key"] ?? ""
        const key = isUuid(keyField) ? { key: keyField } : {}
        if ((yield* run(guestSent, key)).sent) return
        const sender = { orgId: actor.orgId, id: (actor as GuestActor).bookingId, now: yield* currentTime }
        const seconds = quota.takeMessage(sender)
        if (seconds !== undefined) return yield* Effect.fail({ why: "messages", seconds } as const)
        const files = yield* storeFiles(sender, body)
        yield* run(guestWrite, { body: messageText, ...key, ...(files.length === 0 ? {} : { attachments: files }) })
      })

    return [
      get(readDefaults, "/b/:handle", "guest.page", ({ actor, request }) =>
        enqueue(
          actor.orgId,
          renderPage(200, request, ({ guestPage, page, shown }) =>
            guestPage(shown, page, {
              done: parseCompletedAction(shown.url),
              formKey: crypto.randomUUID(),
              mailed: parseMailedSecret(shown.url)
            }))
        )),
      get(readDefaults, "/b/:handle/calendar.ics", "guest.calendar", ({ param, request }) => {
        const path = `/b/${param("handle")}` as const
        const page = site.absolute(path) ?? new URL(site.link(path), request.url).href
        return Effect.map(run(guestCalendar, { page }), ({ ics }) => ({
          status: 200,
          body: ics,
          headers: {
            "content-type": "text/calendar; charset=utf-8; method=PUBLISH",
            "content-disposition": `attachment; filename="booking.ics"`,
            "cache-control": "no-store",
            "referrer-policy": "no-referrer"
          }
        }))
      }),
      get(readDefaults, "/b/:handle/move", "guest.choose", ({ actor, request }) => {
        const { searchParams } = new URL(request.url)
        const from = searchParams.get("from") ?? undefined
        const name = searchParams.get("to")
        return enqueue(
          actor.orgId,
          name === null ? renderPicker(request, from, undefined) : renderConfirmation(request, from, name)
        )
      }),
      post(changeDefaults, "/b/:handle/move", "guest.move", (routeRequest) => {
        const { body, request } = routeRequest
        const name = body["to"] ?? ""
        return run(guestMove, isUuid(name) ? { session_id: name } : { starts_at: name }).pipe(
          Effect.as(redirectToBooking(routeRequest, { done: "changed" })),
          Effect.catchIf(
            ({ kind }) => ["conflict", "invalid", "not_found"].includes(kind),
            () => renderPicker(request, body["from"], "lost")
          )
        )
      }),
      get(readDefaults, "/b/:handle/cancel", "guest.consider", ({ request }) =>
        Effect.gen(function*() {
          const { bookingClosedPage, cancelPage, page, reply, shown } = yield* loadPage(request)
          return page.changes.may_cancel
            ? reply(200, cancelPage(shown, page))
            : reply(409, bookingClosedPage(shown, page))
        })),
      post(changeDefaults, "/b/:handle/cancel", "guest.cancel", (routeRequest) =>
        run(guestCancel, {}).pipe(
          Effect.as(redirectToBooking(routeRequest)),
          Effect.catchIf(({ code }) => code === "changes_closed", () => renderClosed(routeRequest.request))
        )),
      post({ ...changeDefaults, body: messageForm }, "/b/:handle/messages", "guest.write", (routeRequest) =>
        Effect.gen(function*() {
          const { actor, body, request } = routeRequest
          const text = (body.fields["body"] ?? "").trim()
          const messageText = text === "" && body.files.length > 0 ? photoOnlyText : text
          const failure: MessageFailure | undefined = messageText === ""
            ? { why: "empty" }
            : [...messageText].length > maxLength
            ? { why: "long" }
            : yield* Effect.catchIf(
              Effect.as(serialize((actor as GuestActor).bookingId, sendMessage(routeRequest, messageText)), undefined),
              (reason): reason is MessageFailure =>
                "why" in reason,
              Effect.succeed
            )
          if (failure === undefined) {
            return redirectToBooking(routeRequest, { done: "sent" }, "#messages")
          }
          const { guestPage, page, reply, shown } = yield* loadPage(request)
          const unsent = { body: text, error: failureText(shown, failure) }
          const unsentPage = guestPage(shown, page, { formKey: crypto.randomUUID(), unsent })
          const { headers, ...rest } = reply(failureStatuses[failure.why] ?? 422, unsentPage)
          const seconds = failure.seconds ?? (failure.why === "later" ? 60 : undefined)
          return {
            ...rest,
            headers: { ...headers, ...(seconds === undefined ? {} : { "retry-after": String(seconds) }) }
          }
        })),
      post(changeDefaults, "/b/:handle/mailed", "guest.prove", (routeRequest) =>
        run(guestProve, { link: (routeRequest.body["link"] ?? "").slice(0, 100) }).pipe(
          Effect.as(redirectToBooking(routeRequest, { done: "confirmed" })),
          Effect.catchIf(
            ({ code }) =>
              ["hold_expired", "booking_cancelled", "invalid_request"].includes(code),
            () =>
              renderPage(409, routeRequest.request, ({ guestPage, page, shown }) =>
                guestPage(shown, page, { formKey: crypto.randomUUID() }))
          )
        )),
      post(changeDefaults, "/b/:handle/read", "guest.read", ({ request }) =>
        Effect.as(run(guestRead, readPass(request)), { status: 204, body: null })),
      get(readDefaults, "/b/:handle/files/:id", "guest.file", ({ actor: { orgId }, param, request }) =>
        Effect.gen(function*() {
          const id = param("id").toLowerCase()
          if (attachments === undefined || !isUuid(id)) {
            return yield* refuse("not_found", "file", "here")
          }
          yield* run(guestFile, { id, ...readPass(request) })
          return makeFileReply(yield* Effect.uninterruptible(attachments.open({ orgId, id })))
        })),
      post(mailDefaults, "/b/:handle/link", "guest.link", (routeRequest) =>
        Effect.as(run(guestLink, {}), redirectToBooking(routeRequest, { done: "asked" }, "#messages"))),
      get(readDefaults, "/b/:handle/messages/:link", "guest.mailed", ({ param, request }) =>
        renderPage(200, request, ({ mailedLinkPage, page, shown }) => {
          const address = href(shown, `/b/${param("handle")}/messages/${encodeURIComponent(param("link"))}`)
          return mailedLinkPage(shown, page, address)
        })),
      post(changeDefaults, "/b/:handle/messages/:link", "guest.open", (routeRequest) => {
        const { param, request } = routeRequest
        return run(guestOpen, { link: param("link").slice(0, 100) }).pipe(
          Effect.map(({ pass }): Reply => {
            const redirect = redirectToBooking(routeRequest, {}, "#messages")
            const path = site.link(`/b/${param("handle")}`)
            const secure = isSecure(site, request) ? "; Secure" : ""
            const setCookie = `${cookie}=${pass}; Path=${path}; Max-Age=3600; HttpOnly; SameSite=Lax${secure}`
            return { ...redirect, headers: { ...redirect.headers, "set-cookie": setCookie } }
          }),
          Effect.catchIf(
            ({ code }) =>
              code === "unauthorized" || code === "invalid_request",
            () =>
              renderPage(410, request, ({ mailedLinkExpiredPage, page, shown }) =>
                mailedLinkExpiredPage(shown, page))
          )
        )
      }),
      get(readDefaults, "/b/:handle/pay", "guest.pay", (routeRequest) =>
        renderCheckout(routeRequest.request, {}).pipe(
          Effect.catchIf(
            hasNothingToPay,
            ({ code }) =>
              Effect.map(loadPage(routeRequest.request), ({ page, paymentUnavailablePage, reply, shown }) =>
                // If a balance is due, redirect to the booking page, which has a button that opens a checkout for it.
                page.pays_balance
                  ? redirectToBooking(routeRequest)
                  : reply(409, paymentUnavailablePage(shown, page, code === "hold_expired")))
          )
        )),
      post(changeDefaults, "/b/:handle/pay", "guest.pay.balance", (routeRequest) =>
        Effect.catchIf(
          renderCheckout(routeRequest.request, { opens_balance: true }),
          hasNothingToPay,
          () =>
            Effect.succeed(redirectToBooking(routeRequest))
        )),
      get(readDefaults, "/b/:handle/paid", "guest.paid", (routeRequest) =>
        Effect.map(loadPage(routeRequest.request), ({ page, paymentPendingPage, reply, shown }) => {
          const { searchParams } = shown.url
          const isBalance = searchParams.has("balance")
          const awaitsBalance = isBalance && page.booking.status === "confirmed" && page.booking.due_cents > 0
          if (page.is_paid && !awaitsBalance) {
            return redirectToBooking(routeRequest, { done: "paidNow" })
          }
          if (page.booking.status !== "held" && !awaitsBalance) {
            return redirectToBooking(routeRequest)
          }
          const pollCount = Number(searchParams.get("n") ?? 0)
          const nextUrl = pollCount >= 0 && pollCount < 40
            ? href(shown, `/b/${routeRequest.param("handle")}/paid`, {
              n: pollCount + 1,
              ...(isBalance ? { balance: 1 } : {})
            })
            : undefined
          return reply(200, paymentPendingPage(shown, page, nextUrl))
        }))
    ] as ReadonlyArray<AnyRoute>
  })

const messageForm = makeMultipartFormBody({
  field: "files",
  maxBytes: maxFilesPerMessage * maxFileBytes,
  tooLarge: fileTooLargeRefusal
})

const maxLength = 5000

/** The body of a message that contains only photos. */
const photoOnlyText = "📷"

const failureReasons: { readonly [code: string]: "type" | "large" | "broken" | "later" } = {
  unsupported_type: "type",
  too_large: "large",
  unavailable: "later"
}

/** Whether a checkout was refused because no payment is due. */
const hasNothingToPay = ({ kind }: Refusal): boolean => kind === "conflict" || kind === "not_found"

/** Why a message was not sent, and how many seconds to wait before retrying. */
interface MessageFailure {
  readonly why: keyof OrgRenderContext["text"]["guest"]["wrong"]
  readonly seconds?: number
}

const failureStatuses: { readonly [Why in MessageFailure["why"]]?: number } = {
  large: 413,
  messages: 429,
  files: 429,
  later: 503
}

const failureText = ({ text: { guest } }: OrgRenderContext, { seconds = 0, why }: MessageFailure): string => {
  const template = guest.wrong[why]
  if (typeof template === "string") return template
  const minutes = Math.ceil(seconds / 60)
  return template(minutes < 100 ? guest.minutes(Math.max(2, minutes)) : guest.hours(String(Math.ceil(minutes / 60))))
}

const cookie = "tb_thread"

/**
 * Returns the secret from a mailed link. Only text in the format of a digest is accepted, so a page never echoes
 * arbitrary input.
 */
const parseMailedSecret = (url: URL): string | undefined =>
  /^[0-9a-f]{40}$/.exec(url.searchParams.get("mailed") ?? "")?.[0]

const readPass = (request: Request): { readonly pass: string | undefined } => {
  const [, pass] = /(?:^|;\s*)tb_thread=([A-Za-z0-9]{1,100})(?:;|$)/.exec(request.headers.get("cookie") ?? "") ?? []
  return { pass }
}

/**
 * Whether the page is served over https, according to the configured public URL. Without a public URL, for example in
 * local development without TLS, the request URL is used.
 */
const isSecure = (site: Site, request: Request): boolean => (site.absolute("/") ?? request.url).startsWith("https:")

const completedActions = ["sent", "asked", "changed", "paidNow", "confirmed"] satisfies ReadonlyArray<CompletedAction>

const parseCompletedAction = ({ searchParams }: URL): CompletedAction | undefined =>
  completedActions.find((action) => action === searchParams.get("done"))
