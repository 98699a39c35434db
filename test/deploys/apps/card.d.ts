export declare function card(title: string): object;
