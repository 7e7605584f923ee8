/** Sends email over SMTP or writes it to a folder, and receives email. */
export * as InboundMail from "./inbound/InboundMail.ts"
export * as MemoryBudget from "./inbound/MemoryBudget.ts"
export * as MailParserPool from "./inbound/parse/MailParserPool.ts"
export * as ProviderWebhook from "./inbound/ProviderWebhook.ts"
export * as SmtpListener from "./inbound/SmtpListener.ts"
export * as OutboxFolder from "./OutboxFolder.ts"
export * as Smtp from "./Smtp.ts"
