import type { DashboardPath } from "../Page.ts"

/** One-time messages, keyed by the value of the `done` query parameter. The URL never contains the text itself. */
const messages = {
  saved: "Saved.",
  withdrawn: "Assistant disconnected.",
  passkeyAdded: "Passkey added. You can use it to sign in.",
  passkeyRemoved: "Passkey removed. Also delete it from your device.",
  ended: "Browser signed out.",
  revoked: "API key revoked.",
  unhooked: "Webhook deleted.",
  replayed: "Redelivering events, oldest first.",
  invited: "Invitation sent. The new team member gets a sign-in link by email.",
  left: "Team member removed and signed out everywhere.",
  paid: "Account connected. Guests now pay when they book.",
  unpaid: "Account disconnected. It receives no new payments.",
  retried: "Retrying now.",
  offering_added: "Activity added. Now set when guests can book it.",
  paused: "Booking paused. Guests no longer see this activity.",
  resumed: "Booking resumed.",
  photo_added: "Photo added. Guests can see it now.",
  photo_removed: "Photo removed.",
  image_added: "Picture added. Guests can see it now.",
  image_removed: "Picture removed.",
  date_added: "Departure added.",
  dates_added: "Departures added.",
  dates_closed: "Dates closed. Guests cannot book them.",
  dates_opened: "Dates reopened for booking.",
  called_off: "Bookings canceled. Their guests are notified by email.",
  date_cancelled: "Departure canceled. All booked guests get an email.",
  offering_deleted: "Activity deleted. All booked guests get an email.",
  offering_deleting: "Activity deleted. Its bookings are being canceled in the background.",
  currency_changed: "Currency changed. Your prices were not converted, so check them.",
  erased: "Guest erased.",
  booked: "Booking confirmed. The guest gets an email.",
  walked_in: "Walk-in added and checked in.",
  walked_in_paid: "Walk-in added, paid, and checked in.",
  held: "Spot held. The guest has not been notified.",
  confirmed: "Booking confirmed. The guest gets the confirmation by email.",
  moved: "Booking moved. The guest gets an email.",
  changed: "Booking changed.",
  cancelled: "Booking canceled. The guest gets an email.",
  paymentRecorded: "Payment recorded.",
  refundRecorded: "Refund recorded.",
  refundStarted: "Refund started. The payment provider will return the money to the guest.",
  entryVoided: "Entry voided.",
  requested: "Payment requested. The guest gets an email with a link to pay.",
  requestedToday: "Payment request not sent. This guest already received 3 requests today. Try again tomorrow.",
  resent: "Confirmation sent again.",
  sent: "Message sent.",
  noted: "Note saved. Only your team can see it.",
  closed: "Conversation marked done. It reopens when the guest writes.",
  opened: "Conversation reopened.",
  unread: "Marked unread.",
  snoozed: "Conversation snoozed. It returns at the chosen time or when the guest writes.",
  woken: "Snooze ended.",
  discountSaved: "Discount code saved.",
  discountDeleted: "Discount code deleted.",
  replySaved: "Reply saved.",
  replyDeleted: "Saved reply deleted.",
  approved: "Approved and completed.",
  approvedLater: "Approved. Actions are running.",
  approvedFailed: "Approved, but some actions failed. See the proposal for details.",
  dismissed: "Proposal dismissed.",
  undone: "Proposal undone.",
  automationSet: "Settings saved. Proposals are being checked again.",
  sentToday: "Confirmation not sent because it was already sent in the last 24 hours. Try again tomorrow."
} as const

type FlashKey = keyof typeof messages

export const getFlashMessage = (key: string | undefined): string | undefined =>
  key !== undefined && Object.hasOwn(messages, key) ? messages[key as FlashKey] : undefined

/** Returns the path for the redirect to a dashboard page, with a one-time message. */
export const redirectTo = (path: DashboardPath, key?: FlashKey): `/${string}` =>
  `/dashboard${path}${key === undefined ? "" : `${path.includes("?") ? "&" : "?"}done=${key}`}`
