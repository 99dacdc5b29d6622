/** A command line that cannot be meant: the usage is printed and the exit code is 2. */
export class WrongUsage extends Error {}
