/**
 * Ways for Trailbook mail to leave, by SMTP or into a folder, and doors for what comes
 * in.
 */
export * as HttpDoor from "./in/HttpDoor.ts"
export * as InboundMail from "./in/InboundMail.ts"
export * as Listener from "./in/Listener.ts"
export * as MailReader from "./in/MailReader.ts"
export * as Room from "./in/Room.ts"
export * as OutboxFolder from "./OutboxFolder.ts"
export * as Smtp from "./Smtp.ts"
