/**
 * What was just done, in words, by what the address says after `done=`: an address never brings words of its own.
 */
const words = {
  saved: "Saved.",
  withdrawn: "The assistant is disconnected.",
  passkeyAdded: "The passkey is added. It signs you in from now on.",
  passkeyRemoved: "The passkey is removed. Delete it on the device too.",
  ended: "That browser is signed out.",
  revoked: "The key is revoked. It opens nothing from now on.",
  unhooked: "The webhook is deleted. Nothing is sent there any more.",
  replayed: "The events are sent again now, the oldest first.",
  invited: "They are on the team, and a link that signs them in is on its way to them.",
  left: "They are no longer on the team, and signed out everywhere.",
  paid: "The account is connected. Bookings with a price are paid there from now on.",
  unpaid: "The account is disconnected. It takes no more money.",
  retried: "It is tried again now.",
  offering_added: "The offering is there. Now say when it can be booked.",
  paused: "Booking is paused: guests do not see it.",
  resumed: "Guests can book it again.",
  date_added: "The date is added.",
  dates_added: "The dates are added.",
  date_cancelled: "The date is cancelled, and whoever had booked is told by mail.",
  offering_deleted: "The offering is deleted. Whoever had booked is told by mail.",
  offering_deleting: "The offering is deleted. Its many bookings are being cancelled: that goes on by itself.",
  currency_changed: "The currency is changed. Look at your prices: nothing was converted.",
  erased: "Erased for good.",
  booked: "Booked. The guest is mailed the confirmation.",
  held: "The place is held. The guest is told nothing yet.",
  confirmed: "Confirmed. The guest is mailed the confirmation.",
  moved: "Moved. The guest is told by mail.",
  cancelled: "Cancelled. The guest is told by mail.",
  resent: "The confirmation is on its way again.",
  sent: "Sent. The mail is on its way.",
  noted: "The note is kept. Only your team sees it.",
  closed: "Marked done. It opens again when the guest writes.",
  opened: "Open again.",
  unread: "Marked unread.",
  snoozed: "Snoozed. It comes back then, or when the guest writes.",
  woken: "The snooze is over.",
  replySaved: "The reply is saved.",
  replyDeleted: "The saved reply is deleted.",
  approved: "Approved and done.",
  approvedLater: "Approved. It is being done.",
  approvedFailed: "Approved, but not all of it could be done. The proposal says why.",
  dismissed: "Dismissed. Nothing of it is done.",
  undone: "Undone.",
  automationSet: "Saved. It looks again with these settings now.",
  sentToday: "Nothing was sent: the confirmation was mailed less than a day ago. It can be mailed again tomorrow."
} as const

/**
 * @category models
 */
export type FlashKey = keyof typeof words

/**
 * @category getters
 */
export const flashMessage = (done: string | undefined): string | undefined =>
  done !== undefined && Object.hasOwn(words, done) ? words[done as FlashKey] : undefined

/**
 * The address of a page that says what was done.
 *
 * @category constructors
 */
export const withFlash = (path: `/${string}`, done: FlashKey): `/${string}` =>
  `${path}${path.includes("?") ? "&" : "?"}done=${done}`
