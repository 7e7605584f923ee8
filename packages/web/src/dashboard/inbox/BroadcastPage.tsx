import { invalid } from "@trailbook/core"
import { messagesBroadcast } from "@trailbook/core/conversation"
import { offeringsList } from "@trailbook/core/offering"
import { dashboardAddressees } from "@trailbook/core/operation"
import type { Operation } from "@trailbook/core/operation/Operation"
import { sessionsList } from "@trailbook/core/session"
import type { Form } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import { Button, Field, HiddenFields, Link, TextAreaField } from "../kit/elements.tsx"
import { page, type PageContent, type PageContext } from "../kit/page.tsx"
import { FormErrorNote, makeFormState } from "../parts/FormErrors.tsx"

type Target = Operation.Output<typeof dashboardAddressees>

/** The maximum number of departures to choose from. */
const maxSessions = 100

/** Sends a message to many guests, after showing the recipients. */
export const broadcastPage = page("/broadcast", {
  view: (context) =>
    renderForm(
      context,
      context.rejection?.form ?? {
        to: context.query("session") === undefined && context.query("date") !== undefined ? "date" : "session",
        session: context.query("session") ?? "",
        date: context.query("date") ?? "",
        offering: context.query("offering") ?? ""
      },
      context.rejection?.message
    ),
  *submit(context) {
    const { form, run } = context
    if (form["do"] === "change") return yield* renderForm(context, form, undefined)
    const target = yield* readTarget(form)
    const body = (form["body"] ?? "").trim()
    const subject = form["subject"] ?? ""
    if (body === "" || [...body].length > 5000) return yield* invalid("body: must be 1 to 5000 characters long")
    if ([...subject].length > 200) return yield* invalid("subject: must be at most 200 characters long")
    const addressees = yield* run(dashboardAddressees, { target })
    // If the recipients have changed in the meantime, show them again.
    const isUnchanged = form["count"] === String(addressees.count)
    if (form["do"] !== "send" || !isUnchanged) return renderReview(form, addressees, form["do"] === "send")
    return renderResult(yield* run(messagesBroadcast, { target, body, subject }))
  }
})

const renderForm = (context: PageContext, form: Form, message: string | undefined) =>
  Effect.gen(function*() {
    const { format, now: from, org, run } = context
    const { data: sessions } = yield* run(sessionsList, { from, status: "scheduled", limit: maxSessions })
    const { data: offerings } = yield* run(offeringsList, { limit: 200 })
    const namesById = new Map(offerings.map(({ id, name }) => [id, name]))
    const { field, mistakes } = makeFormState(
      message === undefined ? undefined : { message, form, code: "" },
      { to: "Recipients", subject: "Subject", body: "Message" },
      form,
      { target: "to" }
    )
    // The list of upcoming departures might not contain the requested one.
    const isListed = sessions.some(({ id }) => id === form["session"])
    return {
      title: "Group message",
      lead: <Link to="/inbox">Back to inbox</Link>,
      body: (
        <form class="card pad stack" method="post" data-once="">
          <FormErrorNote of={mistakes} title="Not sent yet. Check these fields:" />
          <fieldset class="stack tight">
            <legend class="label">Recipients</legend>
            {mistakes.of("to") !== undefined && <p class="bad">{mistakes.of("to")}</p>}
            <div class="recipients">
              <label class="option">
                <input id="to" type="radio" name="to" value="session" checked={isSelected(form, "session")} />
                Guests on a departure
              </label>
              <select name="session" aria-label="Departure">
                <option value="">Choose a departure</option>
                {!isListed && form["session"] !== undefined && form["session"] !== "" && (
                  <option value={form["session"]} selected>Selected departure</option>
                )}
                {sessions.map(({ booked, id, offering_id, starts_at }) => (
                  <option key={id} value={id} selected={id === form["session"]}>
                    {`${namesById.get(offering_id) ?? "Trip"}, ${format.moment(starts_at)} (${booked} booked)`}
                  </option>
                ))}
              </select>
            </div>
            <div class="recipients">
              <label class="option">
                <input type="radio" name="to" value="date" checked={isSelected(form, "date")} />
                Guests on a day
              </label>
              <input type="date" name="date" aria-label="Day" value={form["date"] || format.localDate(from)} />
            </div>
            <div class="recipients">
              <label class="option">
                <input type="radio" name="to" value="offering" checked={isSelected(form, "offering")} />
                Guests with upcoming bookings for an activity
              </label>
              <select name="offering" aria-label="Activity">
                <option value="">Choose an activity</option>
                {offerings.map(({ id, name }) => (
                  <option key={id} value={id} selected={id === form["offering"]}>{name}</option>
                ))}
              </select>
            </div>
            <p class="hint">
              {`Only guests with confirmed bookings are included. Dates are in the ${org.timezone} time zone.`}
            </p>
          </fieldset>
          <Field {...field("subject")} optional="optional" input={{ maxLength: 200 }} />
          <TextAreaField {...field("body")} rows={7} maxLength={5000} />
          <p class="acts">
            <button class="btn main" name="do" value="review">Preview recipients</button>
          </p>
          <p class="soft small">Not sent yet.</p>
        </form>
      )
    }
  })

const isSelected = (form: Form, to: string): boolean => (form["to"] ?? "session") === to

/** Returns the selected target: a departure, a day, or an offering. */
const toTarget = ({ date = "", offering = "", session = "", to }: Form) => {
  if (to === "date") return { date }
  return to === "offering" ? { offering_id: offering } : { session_id: session }
}

const readTarget = (form: Form) => {
  const to = form["to"] ?? "session"
  if (!["session", "date", "offering"].includes(to)) {
    return Effect.fail(invalid("to: must be a departure, a day, or an activity"))
  }
  if ((form[to] ?? "") === "") return Effect.fail(invalid(`to: choose ${targetNames[to] ?? "one"}`))
  return Effect.succeed(toTarget(form))
}

const targetNames: { readonly [to: string]: string } = {
  session: "a departure",
  date: "a day",
  offering: "an activity"
}

const renderReview = (
  form: Form,
  { count, erased, people }: Target,
  hasChanged: boolean
): PageContent => {
  const { body = "", date = "", offering = "", session = "", subject = "", to = "session" } = form
  return {
    title: count === 0 ? "No recipients" : `${formatRecipients(count)} will get this message`,
    body: (
      <div class="two">
        <section class="card">
          <header>
            <h2>Message</h2>
          </header>
          <div class="pad stack">
            {hasChanged && (
              <p class="note" role="alert">
                The list of recipients has changed. The message was not sent. Review it again.
              </p>
            )}
            {subject !== "" && (
              <p>
                <b dir="auto">{subject}</b>
              </p>
            )}
            <p class="words" dir="auto">{body}</p>
            <p class="soft small">
              Each guest gets a separate email. Replies arrive in your inbox. Sending cannot be undone.
            </p>
            <form class="acts" method="post" data-once="">
              <HiddenFields values={{ to, session, date, offering, subject, body, count }} />
              {count > 0 && (
                <button class="btn main" name="do" value="send">{`Send to ${formatRecipients(count)}`}</button>
              )}
              <button class="btn" name="do" value="change">Edit message</button>
              <Button look="plain" to="/inbox">Discard</Button>
            </form>
          </div>
        </section>
        <section class="card">
          <header>
            <h2>Recipients</h2>
          </header>
          {count === 0 && <p class="pad soft">No guests with confirmed bookings match your selection.</p>}
          <ul class="rows">
            {people.map(({ email, id, name }) => (
              <li key={id}>
                <Link class="grow" to={`/guests/${id}`} dir="auto">{name || email}</Link>
                <span class="soft small" dir="ltr">{email}</span>
              </li>
            ))}
          </ul>
          {count > people.length && <p class="pad soft">{`and ${count - people.length} more`}</p>}
          {erased > 0 && (
            <p class="pad soft">{`${formatRecipients(erased)} will be skipped because they have no email address.`}</p>
          )}
        </section>
      </div>
    )
  }
}

/**
 * Formats the number of recipients. Counts recipients instead of guests, because each booking gets one email for the
 * entire party.
 */
const formatRecipients = (count: number): string => count === 1 ? "1 recipient" : `${count} recipients`

/**
 * Returns the result page, which is shown once. Sending the same text to the same guests again within 24 hours has no
 * effect.
 */
const renderResult = (
  { failed, sent, skipped }: Operation.Output<typeof messagesBroadcast>
): PageContent => ({
  title: "Sent",
  body: (
    <div class="card pad stack">
      <p>{`Sent to ${formatRecipients(sent)}.`}</p>
      {failed > 0 && (
        <p class="note">
          {`${formatRecipients(failed)} could not be reached because earlier emails bounced. Call them.`}
        </p>
      )}
      {skipped > 0 && (
        <p class="soft">
          {`${formatRecipients(skipped)} ${skipped === 1 ? "was" : "were"} skipped because they have no email address.`}
        </p>
      )}
      <p>
        <Button look="main" to="/inbox">Back to inbox</Button>
      </p>
    </div>
  )
})
