/** One-time messages by the value of the `done` query parameter. The URL never contains the text itself. */
const words = {
  saved: "Saved.",
  withdrawn: "Assistant disconnected.",
  passkeyAdded: "Passkey added. You can use it to sign in.",
  passkeyRemoved: "Passkey removed. Delete it on your device, too.",
  ended: "Browser signed out.",
  revoked: "API key revoked.",
  unhooked: "Webhook deleted.",
  replayed: "Redelivering events, oldest first.",
  invited: "Invitation sent. The new team member gets a sign-in link by email.",
  left: "Removed from the team and signed out everywhere.",
  paid: "Account connected. Guests now pay when they book.",
  unpaid: "Account disconnected. It receives no new payments.",
  retried: "Retrying now.",
  offering_added: "Activity added. Now set when guests can book it.",
  paused: "Booking paused. Guests no longer see this activity.",
  resumed: "Booking resumed.",
  photo_added: "Photo added. Guests can see it now.",
  photo_removed: "Photo removed.",
  date_added: "Departure added.",
  dates_added: "Departures added.",
  dates_closed: "Dates closed. Guests cannot book them.",
  dates_opened: "Dates open for booking again.",
  called_off: "Bookings canceled. Their guests are notified by email.",
  date_cancelled: "Departure canceled. All booked guests get an email.",
  offering_deleted: "Activity deleted. All booked guests get an email.",
  offering_deleting: "Activity deleted. Its bookings are being canceled in the background.",
  currency_changed: "Currency changed. Check your prices: they were not converted.",
  erased: "Guest erased.",
  booked: "Booking confirmed. The guest gets an email.",
  walked_in: "Walk-in added and checked in.",
  walked_in_paid: "Walk-in added, paid, and checked in.",
  held: "Place held. The guest has not been notified.",
  confirmed: "Booking confirmed. The guest gets the confirmation by email.",
  moved: "Booking moved. The guest gets an email.",
  changed: "Booking changed.",
  cancelled: "Booking canceled. The guest gets an email.",
  paymentRecorded: "Payment recorded.",
  refundRecorded: "Refund recorded.",
  entryVoided: "Entry voided.",
  resent: "Confirmation sent again.",
  sent: "Message sent.",
  noted: "Note saved. Only your team can see it.",
  closed: "Marked done. It reopens when the guest writes.",
  opened: "Reopened.",
  unread: "Marked unread.",
  snoozed: "Snoozed. It returns at that time, or when the guest writes.",
  woken: "Snooze ended.",
  replySaved: "Saved reply saved.",
  replyDeleted: "Saved reply deleted.",
  approved: "Approved and done.",
  approvedLater: "Approved. Actions are running.",
  approvedFailed: "Approved, but some actions failed. See the proposal for details.",
  dismissed: "Proposal dismissed.",
  undone: "Undone.",
  automationSet: "Settings saved. Proposals are being checked again.",
  sentToday: "Not sent: the confirmation was sent less than a day ago. You can resend it tomorrow."
} as const

export type FlashKey = keyof typeof words

export const flashMessage = (done: string | undefined): string | undefined =>
  done !== undefined && Object.hasOwn(words, done) ? words[done as FlashKey] : undefined

/** Path with a one-time message. */
export const withFlash = (path: `/${string}`, done: FlashKey): `/${string}` =>
  `${path}${path.includes("?") ? "&" : "?"}done=${done}`
