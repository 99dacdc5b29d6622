/** The work failed and the command has already printed its document, with the error in it. */
export class WorkFailed extends Error {}
