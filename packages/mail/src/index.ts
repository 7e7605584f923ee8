/** Sends Trailbook mail by SMTP or into a folder, and receives mail. */
export * as InboundMail from "./inbound/InboundMail.ts"
export * as MailReader from "./inbound/MailParserPool.ts"
export * as Room from "./inbound/MemoryBudget.ts"
export * as HttpDoor from "./inbound/ProviderWebhook.ts"
export * as Listener from "./inbound/SmtpListener.ts"
export * as OutboxFolder from "./OutboxFolder.ts"
export * as Smtp from "./Smtp.ts"
