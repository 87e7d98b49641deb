import 'preact';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      /** chessground's element for a piece; its style sheet draws it by class. */
      piece: { class: string };
    }
  }
}
