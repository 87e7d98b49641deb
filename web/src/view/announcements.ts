/** What is said to those who listen to the page: lines for one live region, newest last. */
export class Announcements {
  lines: { number: number; text: string }[] = [];
  private count = 0;
  private readonly listeners = new Set<() => void>();

  /** Few lines stay, so that the region does not grow with the match. */
  say(text: string): void {
    this.count += 1;
    this.lines = [...this.lines.slice(-4), { number: this.count, text }];
    for (const listener of this.listeners) listener();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
