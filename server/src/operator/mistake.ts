/** A command that cannot be understood or done. Its message is the one line that is printed. */
export class CommandMistake extends Error {}
