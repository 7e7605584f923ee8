import type { ConversationView } from "@trailbook/core/conversation/ConversationView"

/** Who a conversation is with, as far as it is known. */
export const conversationGuest = ({ customer, from_email, from_name }: ConversationView) => {
  const name = customer?.name ?? from_name ?? ""
  const email = customer?.email ?? from_email ?? ""
  return { name: name || email || "Erased guest", email, phone: customer?.phone ?? "", isErased: email === "" }
}

/** The first letters of a name, for the round beside it. */
export const nameInitials = (name: string): string =>
  name.split(/\s+/u).filter((word) => word !== "").slice(0, 2).map((word) => [...word][0] ?? "").join("").toUpperCase()
