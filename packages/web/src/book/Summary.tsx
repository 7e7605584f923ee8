import type { SlotView } from "@trailbook/core/availability"
import { href } from "../ui/href.ts"
import { Row } from "../ui/Row.tsx"
import { type OfferingPageProps, selectedQuantity, selectionPath, selectionTotal } from "./OfferingPageProps.ts"

/** A summary of the selection: time, location, quantity, and total price. */
export const Summary = ({ picked, slot }: { readonly picked: OfferingPageProps; readonly slot: SlotView }) => {
  const { open, shown } = picked
  const { deposit, offering, quantity, total_cents } = open
  const { format, text: { book } } = shown
  return (
    <aside class="card pad stick stack" aria-labelledby="summary">
      <h2 id="summary">{book.summary}</h2>
      <p dir="auto">
        <b>{offering.name}</b>
      </p>
      <dl class="sum num">
        <Row label={book.when}>
          {format.longDay(slot.starts_at)}
          <br />
          <When picked={picked} slot={slot} />
        </Row>
        {offering.location !== "" && <Row label={book.where} dir="auto">{offering.location}</Row>}
        <Row label={book.quantity[offering.kind]}>{format.number(quantity)}</Row>
        {open.lines.map(({ id, included, kind, name, quantity, total_cents }) => (
          <Row key={`${kind} ${id}`} label={included ? book.included(name) : name}>
            {kind === "rate" || kind === "extra"
              ? `${format.number(quantity)} · ${format.money(total_cents)}`
              : format.money(total_cents)}
          </Row>
        ))}
        <Row label={book.total} total>{selectionTotal(picked)}</Row>
        {deposit !== null && total_cents !== null && slot.starts_at >= deposit.starts_from && (
          <>
            <Row label={book.deposit}>{format.money(deposit.cents)}</Row>
            <Row label={book.balance}>{format.money(total_cents - deposit.cents)}</Row>
          </>
        )}
      </dl>
      <p class="small">
        <a href={href(shown, selectionPath(picked), { date: open.date ?? undefined, ...selectedQuantity(open) })}>
          {book.change}
        </a>
      </p>
    </aside>
  )
}

/** The start and end time, with both dates if the end is on another day. */
const When = ({ picked, slot }: { readonly picked: OfferingPageProps; readonly slot: SlotView }) => {
  const { format, text: { book } } = picked.shown
  const { ends_at, starts_at } = slot
  const zone = format.zone(starts_at)
  if (format.localDate(starts_at) === format.localDate(ends_at)) {
    return <>{`${format.time(starts_at)} – ${format.time(ends_at)} ${zone}`}</>
  }
  return <>{`${format.time(starts_at)} ${book.until} ${format.day(ends_at)}, ${format.time(ends_at)} ${zone}`}</>
}
