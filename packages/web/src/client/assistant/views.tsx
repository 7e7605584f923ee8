/**
 * The views for tool results, built from parts of the dashboard pages. A result omits empty fields, keeps text from
 * guests in `guest_wrote`, and contains local times such as `Sat 2026-10-31 13:30`.
 */
import type { ComponentChildren } from "preact"
import { automationLabels } from "../../dashboard/automations/automationFields.ts"
import { formatPaymentState, formatQuantity, StatusTag } from "../../dashboard/bookings/bookingText.tsx"
import { OccupancyBar } from "../../dashboard/departures/departureParts.tsx"
import { Card, EmptyNote, FactList } from "../../dashboard/kit/elements.tsx"
import { describeAction, ProposalStatus } from "../../dashboard/proposals/proposalParts.tsx"
import * as Formats from "../../text/Format.ts"

type Data = Readonly<Record<string, unknown>>

export const readData = (value: unknown): Data => Object(value)

const toRows = (value: unknown): ReadonlyArray<Data> => Array.isArray(value) ? value.map(readData) : []

const toText = (value: unknown): string => typeof value === "string" ? value : ""

const toNumber = (value: unknown): number => typeof value === "number" ? value : 0

const findName = <const Name extends string>(value: unknown, names: ReadonlyArray<Name>): Name | null =>
  names.find((name) => name === value) ?? null

interface ViewProps {
  readonly data: Data
  readonly format: Formats.Format
}

/** Shows a result. Errors, previews, and other kinds of results are shown as text. */
export const ResultView = ({ currency, result, view }: {
  readonly view: string
  readonly currency: string
  readonly result: Data
}) => {
  const data = readData(result.structuredContent)
  const viewSpec = Object.entries(views).find(([name]) => name === view)?.[1]
  const format = Formats.make(
    { language: "en", locale: navigator.language.startsWith("en") ? navigator.language : "en-US" },
    { currency: toText(data.currency) || currency, timezone: toText(data.timezone) || "UTC" }
  )
  return viewSpec !== undefined && result.isError !== true && viewSpec.field in data
    ? <div class="stack">{viewSpec.show({ data, format })}</div>
    : <p class="card pad words" dir="auto">{toRows(result.content).map((part) => toText(part.text)).join("\n")}</p>
}

const Availability = ({ data, format }: ViewProps) => {
  const slots = toRows(data.data)
  return (
    <Card id="availability" title="Availability" headerEnd={<ZoneNote data={data} />}>
      {slots.length === 0 ?
        <EmptyNote>{toText(data.note) || "No available start times."}</EmptyNote> :
        (
          <ul class="rows">
            {slots.map((slot) => (
              <DayRow
                key={toText(slot.starts_at)}
                format={format}
                start={toText(slot.starts_local)}
                end={<p class="small soft num">{`until ${endText(format, slot)}`}</p>}
              >
                {toNumber(slot.remaining) === 0
                  ? <span class="tag">Full</span>
                  : `${toNumber(slot.remaining)} of ${toNumber(slot.capacity)} left`}
              </DayRow>
            ))}
          </ul>
        )}
    </Card>
  )
}

const Booking = ({ data, format }: ViewProps) => {
  const offering = readData(data.offering)
  const guest = readData(readData(data.customer).guest_wrote)
  const refund = readData(data.refund)
  const refundStatus = findName(refund.status, ["due", "done", "refused"])
  const disputeStatus = findName(readData(data.dispute).status, ["open", "won", "lost"])
  const status = findName(data.status, ["held", "confirmed", "cancelled"]) ?? "held"
  const booking = {
    status,
    expires_at: localParts(toText(data.expires_local)).join(" ").trim() || null,
    dispute: disputeStatus && { status: disputeStatus },
    refund: refundStatus && { status: refundStatus, cents: toNumber(refund.cents) },
    total_cents: toNumber(data.total_cents),
    paid_cents: toNumber(data.paid_cents),
    due_cents: toNumber(data.due_cents),
    paid_at: toText(data.paid_local) || null,
    payment_intent_id: toText(data.payment_intent_id) || null
  }
  const renderWords = (value: unknown) => toText(value) !== "" && <span class="words" dir="auto">{toText(value)}</span>
  const renderTime = (value: unknown) => toText(value) !== "" && localText(format, toText(value))
  return (
    <Card
      id="booking"
      title={<span dir="auto">{toText(offering.name)}</span>}
      headerEnd={
        <span class="end tags">
          <StatusTag booking={booking} now={localParts(toText(data.now_local)).join(" ")} />
        </span>
      }
    >
      <FactList
        of={{
          Reference: <code>{toText(data.reference)}</code>,
          When: `${spanText(format, data)} (${Formats.getZoneCity(toText(data.timezone))})`,
          "Moved from": data.previous !== undefined && <s>{spanText(format, readData(data.previous))}</s>,
          Party: formatQuantity(format, toText(offering.kind), toNumber(data.quantity)),
          Guest: renderWords(guest.name),
          Phone: renderWords(guest.phone),
          Email: renderWords(guest.email),
          Payment: formatPaymentState(format, booking),
          Notes: renderWords(readData(data.guest_wrote).notes),
          "Staff notes": renderWords(data.staff_notes),
          "Held until": status === "held" && renderTime(data.expires_local),
          Canceled: renderTime(data.cancelled_local)
        }}
      />
    </Card>
  )
}

const Departures = ({ data, format }: ViewProps) => {
  const departures = toRows(data.departures)
  const openDays = toRows(data.open)
  return (
    <>
      {departures.length + openDays.length === 0 && (
        <p class="card">
          <EmptyNote>No departures or available start times on these dates.</EmptyNote>
        </p>
      )}
      {departures.map((departure, at) => (
        <Card
          key={at}
          id={`departure-${at}`}
          title={<span dir="auto">{toText(departure.offering)}</span>}
          headerEnd={<ZoneNote data={data} />}
        >
          <ul class="rows">
            <DayRow
              format={format}
              start={toText(departure.starts_local)}
              end={<p class="small soft num">{`until ${endText(format, departure)}`}</p>}
            >
              {departure.capacity !== undefined && (
                <OccupancyBar
                  format={format}
                  departure={{
                    booked: toNumber(departure.booked),
                    capacity: toNumber(departure.capacity),
                    held: toNumber(departure.held),
                    status: "scheduled"
                  }}
                />
              )}
            </DayRow>
            {toRows(departure.guests).map((guest) => {
              const guestText = readData(guest.guest_wrote)
              return (
                <li key={toText(guest.booking_id)}>
                  <div class="grow">
                    <b dir="auto">{toText(guestText.name) || "Guest"}</b>
                    {guest.status === "held" && <span class="tag warn">Held</span>}
                    <p class="small soft">
                      {formatQuantity(format, "class", toNumber(guest.quantity))} ·{" "}
                      <code>{toText(guest.reference)}</code>
                    </p>
                    {toText(guestText.notes) !== "" && <p class="small words" dir="auto">{toText(guestText.notes)}</p>}
                  </div>
                </li>
              )
            })}
          </ul>
        </Card>
      ))}
      {openDays.length > 0 && (
        <Card id="open" title="Available start times">
          <ul class="rows">
            {openDays.map((day, at) => (
              <li key={at}>
                <div class="grow">
                  <b dir="auto">{toText(day.offering)}</b>
                  <p class="small soft">{toText(day.date)}</p>
                  <p class="small num">
                    {Array.isArray(day.starts) && day.starts.map(toText).join(", ")}
                    {day.more !== undefined && `, and ${toNumber(day.more)} more`}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

const Proposal = ({ data, format }: ViewProps) => {
  const actions = toRows(data.actions)
  const trips = toRows(readData(data.data).trips)
  const automation = Object.entries(automationLabels).find(([name]) => name === data.automation)?.[1]
  const status = findName(data.status, ["pending", "done", "failed", "dismissed", "expired", "undone"]) ?? "pending"
  return (
    <Card
      id="proposal"
      pad="stack"
      title={<span dir="auto">{toText(data.title)}</span>}
      headerEnd={
        <span class="end tags">
          {automation !== undefined && <span class="tag">{automation.name}</span>}
          <ProposalStatus
            proposal={{ status, decided_at: toText(data.decided_local) || null, data: readData(data.data) }}
          />
        </span>
      }
    >
      {trips.length > 0 && (
        <ul class="bullets">
          {trips.map((trip, at) => (
            <li key={at} dir="auto">
              {`${localText(format, toText(trip.starts_local))}: ${toText(trip.offering)}, ${
                formatQuantity(format, "class", toNumber(trip.guests))
              }`}
            </li>
          ))}
        </ul>
      )}
      {actions.length === 0 ? <p class="soft">For your information. No action is needed.</p> : (
        <ol class="steps-done">
          {actions.map((action, at) => {
            const facts = readData(action.facts)
            const { error, ok } = readData(action.result)
            return (
              <li key={at}>
                <span dir="auto">
                  {describeAction({ kind: toText(action.kind), facts, money: action.money === true }, format)}
                </span>
                {ok === true && <span class="tag ok">Done</span>}
                {ok === false && <span class="tag bad">Refused</span>}
                {toText(facts.body) !== "" && (
                  <details>
                    <summary>Message text</summary>
                    <p class="letter words" dir="auto">{toText(facts.body)}</p>
                  </details>
                )}
                {facts.reason !== readData(actions[at - 1]?.facts).reason && (
                  <p class="soft small" dir="auto">{toText(facts.reason)}</p>
                )}
                {toText(error) !== "" && <p class="bad small" dir="auto">{toText(error)}</p>}
              </li>
            )
          })}
        </ol>
      )}
      {toText(data.error) !== "" && <p class="note wrong" dir="auto">{`Stopped: ${toText(data.error)}`}</p>}
      <p class="soft small">
        {`Proposed ${localText(format, toText(data.created_local))}`}
        {status === "pending" && toText(data.expires_local) !== "" &&
          ` · decide by ${localText(format, toText(data.expires_local))}`}
      </p>
    </Card>
  )
}

/** For each view, a field that its result always has, and the component that shows the result. */
const views = {
  availability: { field: "data", show: Availability },
  booking: { field: "reference", show: Booking },
  departures: { field: "departures", show: Departures },
  proposal: { field: "automation", show: Proposal }
}

const ZoneNote = ({ data }: { readonly data: Data }) => (
  <span class="end soft small">{`${Formats.getZoneCity(toText(data.timezone))} time`}</span>
)

const DayRow = ({ children, end, format, start }: {
  readonly format: Formats.Format
  readonly start: string
  readonly end: ComponentChildren
  readonly children: ComponentChildren
}) => {
  const [date, time] = localParts(start)
  return (
    <li class="row departs">
      <span class="num">
        <b>{format.wall(time)}</b>
        <small class="soft">{format.shortDate(date)}</small>
      </span>
      <span class="grow">{end}</span>
      <span class="small num">{children}</span>
    </li>
  )
}

/** Splits a local time such as `Sat 2026-10-31 13:30` into its date and time. */
const localParts = (local: string): readonly [date: string, time: string] => {
  const [, date = "", time = ""] = local.split(" ")
  return [date, time]
}

const localText = (format: Formats.Format, local: string): string => {
  const [date, time] = localParts(local)
  return `${format.shortDate(date)}, ${format.wall(time)}`
}

/** Returns the end of a span, with its date if it differs from the start date. */
const endText = (format: Formats.Format, { ends_local, starts_local }: Data): string => {
  const [date, time] = localParts(toText(ends_local))
  return date === localParts(toText(starts_local))[0]
    ? format.wall(time)
    : `${format.shortDate(date)}, ${format.wall(time)}`
}

const spanText = (format: Formats.Format, span: Data): string =>
  `${localText(format, toText(span.starts_local))} – ${endText(format, span)}`
