import type { TaskKind } from "@trailbook/core/task/Task"

/** Names of the tasks. */
export const taskLabels: { readonly [Kind in TaskKind]: string } = {
  "mail.held": "Email to a guest: place held",
  "mail.confirmed": "Email to a guest: booking confirmed",
  "mail.moved": "Email to a guest: booking moved",
  "mail.cancelled": "Email to a guest: booking canceled",
  "mail.guest_cancelled": "Email to a guest: booking canceled",
  "mail.expired": "Email to a guest: hold expired",
  "mail.message": "Email to a guest: your message",
  "mail.staff": "Email to your team: new message",
  "notice.messages": "Email to your team: several new messages",
  "mail.link": "Email to a guest: link to their booking",
  "mail.proof": "Email to a guest: link that confirms their address",
  "mail.invitation": "Email: team invitation",
  broadcast: "Group message",
  "mail.returned": "Email to a guest: refund",
  "mail.dispute": "Email to your team: payment disputed",
  "mail.mismatch": "Email to your team: payment mismatch",
  "mail.refund": "Email to your team: refund refused",
  "mail.proposal": "Email to your team: ops agent actions",
  "checkout.open": "Create checkout",
  "checkout.close": "Close checkout",
  refund: "Refund",
  "file.remove": "Delete unused file"
}

export const isAboutMoney = (kind: TaskKind): boolean => kind === "refund" || kind.startsWith("checkout.")
