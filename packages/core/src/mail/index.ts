/** Email: the port for sending it, addresses, and the parts that several emails share. */
export * from "./CheckInCode.ts"
export * from "./localTimeFormat.ts"
export * from "./Mailer.ts"
export * from "./replyAddress.ts"
export * as SignInMail from "./signInMail.ts"
export * from "./toSingleLine.ts"
