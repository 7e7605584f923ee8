import type { TaskKind } from "@trailbook/core/task/Task"

/**
 * What a task was to do, as people say it.
 *
 * @category formatting
 */
export const taskLabels: { readonly [Kind in TaskKind]: string } = {
  "mail.held": "Mail to a guest that a place is held for them",
  "mail.confirmed": "Mail to a guest that their booking is confirmed",
  "mail.moved": "Mail to a guest that their booking has moved",
  "mail.cancelled": "Mail to a guest that their booking is cancelled",
  "mail.message": "Mail to a guest with your message",
  "mail.staff": "Mail to your people that a guest has written",
  "notice.messages": "Notice to your team about several messages of a guest",
  "mail.link": "Mail to a guest with the link to their page",
  "mail.invitation": "Invitation to the team",
  broadcast: "Message to many guests",
  "mail.returned": "Mail to a guest that a payment goes back",
  "mail.dispute": "Mail to your people that a payment is disputed",
  "mail.mismatch": "Mail to your people that a payment does not match",
  "mail.refund": "Mail to your people that a refund was refused",
  "mail.proposal": "Mail to your people about what the ops agent did",
  "checkout.open": "Opening a guest's checkout",
  "checkout.close": "Closing a guest's checkout",
  refund: "Refund to a guest",
  "file.remove": "Removing a file that nobody needs"
}

/**
 * @category predicates
 */
export const isAboutMoney = (kind: TaskKind): boolean => kind === "refund" || kind.startsWith("checkout.")
