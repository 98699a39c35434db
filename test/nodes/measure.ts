export async function measure(print: (line: string) => void): Promise<void> {
  print('nothing yet');
}
