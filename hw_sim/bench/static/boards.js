// A duplicate board as it is printed: dealer and vulnerability repeat every sixteen numbers (Law 2).
const VULNERABLE = ["None", "NS", "EW", "Both"];

export const dealerOf = (number) => "NESW"[(number - 1) % 4];
export const vulnerabilityOf = (number) => VULNERABLE[(number - 1 + Math.floor((number - 1) / 4)) % 4];

// As a scenario's line has it.
export const printed = (number) => `board ${number} dealer ${dealerOf(number)} vulnerable ${vulnerabilityOf(number)}`;

// What a tag leaves out follows from the number, as on the board itself.
export function whole(board) {
  if (!board?.number) return board;
  const { number, dealer, vulnerability } = board;
  return { number, dealer: dealer ?? dealerOf(number), vulnerability: vulnerability ?? vulnerabilityOf(number) };
}
