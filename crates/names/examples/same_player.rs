//! Tells which names can belong to the player of the first name.
//!
//! ```console
//! $ cargo run --example same_player Korchnoi,Viktor Kortschnoj Корчной Korchnoi,I Karpov
//! yes  Kortschnoj
//! yes  Корчной
//! no   Korchnoi,I
//! no   Karpov
//! ```

use names::Person;

fn main() {
    let mut people = std::env::args().skip(1).map(|name| (Person::parse(&name), name));
    let Some((Some(player), _)) = people.next() else {
        eprintln!("usage: same_player NAME OTHER...");
        std::process::exit(2);
    };
    for (person, name) in people {
        let could_be = person.is_some_and(|person| person.could_be(&player));
        println!("{:3}  {name}", if could_be { "yes" } else { "no" });
    }
}
