//! Requests of browsers, their pages and strangers.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use serve::{Access, Explorer, Server, Source};

/// Starts a server of one game. It runs until the tests end.
fn start(access: Access) -> SocketAddr {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.pgn");
    std::fs::write(&path, "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n").unwrap();
    let base = scoresheet::open(&path).unwrap();
    let source = Source::of_base(&base, &Default::default(), &mut |_| ()).unwrap();
    let server = Server::bind((Ipv4Addr::LOCALHOST, 0).into(), access).unwrap();
    let address = server.address();
    thread::spawn(move || server.run(Explorer::new(vec![source])).unwrap());
    address
}

/// Sends the head of a request, in which PORT stands for the port, and returns the whole answer.
fn send(address: SocketAddr, head: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let head = head.replace("PORT", &address.port().to_string()).replace('\n', "\r\n");
    let _ = stream.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

fn with(lines: &str) -> String {
    format!("GET /masters HTTP/1.1\nHost: 127.0.0.1:PORT\n{lines}")
}

#[test]
fn request_of_another_host_or_page_is_refused_before_the_search() {
    let address = start(Access::default());
    let own = send(address, "GET /masters HTTP/1.1\nHost: 127.0.0.1:PORT");
    assert!(own.ends_with("\"opening\":null}") && own.contains("\"uci\":\"e2e4\""), "{own}");
    assert!(!own.to_lowercase().contains("access-control"), "{own}");
    for header in ["x-content-type-options: nosniff", "cross-origin-resource-policy: same-origin"] {
        assert!(own.contains(header), "{own}");
    }
    for (host, expected) in [
        ("localhost:PORT", 200),
        ("LOCALHOST:PORT", 200),
        ("[::1]:PORT", 200),
        ("127.0.0.1", 421),
        ("127.0.0.1:1", 421),
        ("attacker.example:PORT", 421),
        ("127.0.0.1.attacker.example:PORT", 421),
        ("localhost.attacker.example:PORT", 421),
        ("x@127.0.0.1:PORT", 421),
        ("0x7f.1:PORT", 421),
        ("", 421),
    ] {
        let answer = send(address, &format!("GET /masters HTTP/1.1\nHost: {host}"));
        assert_eq!(status(&answer), expected, "{host}: {answer}");
        assert_eq!(answer.contains("e2e4"), expected == 200, "{host}: {answer}");
    }
    for (head, expected) in [
        ("GET /masters HTTP/1.1\nAccept: */*".to_owned(), 400),
        ("GET /masters HTTP/1.1\nHost: 127.0.0.1:PORT\nHost: attacker.example".to_owned(), 400),
        ("GET http://attacker.example/masters HTTP/1.1\nHost: 127.0.0.1:PORT".to_owned(), 421),
        (with("Origin: https://attacker.example"), 403),
        (with("Origin: null"), 403),
        (with("Origin: http://127.0.0.1:PORT"), 200),
        (with("Sec-Fetch-Site: cross-site"), 403),
        (with("Sec-Fetch-Site: same-origin"), 200),
        (with("Authorization: Bearer lip_of_lichess"), 200),
    ] {
        let answer = send(address, &head);
        assert_eq!(status(&answer), expected, "{head}: {answer}");
    }
}

#[test]
fn request_of_a_granted_page_may_be_read_by_it_alone() {
    let mut access = Access::default();
    access.origins.push("https://tool.example".to_owned());
    let address = start(access);
    let granted = send(address, &with("Origin: https://tool.example\nSec-Fetch-Site: cross-site"));
    assert_eq!(status(&granted), 200);
    assert!(granted.contains("access-control-allow-origin: https://tool.example"), "{granted}");
    assert!(granted.contains("vary: Origin"), "{granted}");
    let preflight = "OPTIONS /masters HTTP/1.1\nHost: 127.0.0.1:PORT\nOrigin: https://tool.example";
    let preflight = send(address, preflight);
    assert_eq!(status(&preflight), 204);
    assert!(preflight.contains("access-control-allow-headers: Authorization"), "{preflight}");
    assert_eq!(status(&send(address, &with("Origin: https://tool.example.evil"))), 403);
    assert_eq!(status(&send(address, &with("Origin: http://tool.example"))), 403);
}

#[test]
fn request_that_is_no_question_gets_an_error_and_ends_nothing() {
    let address = start(Access::default());
    let long = format!("GET /masters?play={} HTTP/1.1\nHost: 127.0.0.1:PORT", "e2e4,".repeat(4000));
    let many: String = (0..1000).map(|n| format!("x{n}: y\n")).collect();
    for (head, expected) in [
        ("POST /masters HTTP/1.1\nHost: 127.0.0.1:PORT\nContent-Length: 0".to_owned(), 405),
        ("OPTIONS /masters HTTP/1.1\nHost: 127.0.0.1:PORT".to_owned(), 405),
        ("GET /../../etc/passwd HTTP/1.1\nHost: 127.0.0.1:PORT".to_owned(), 404),
        ("GET /..%2f..%2fetc%2fpasswd HTTP/1.1\nHost: 127.0.0.1:PORT".to_owned(), 404),
        (with("Content-Length: 100000"), 413),
        (with("Content-Length: 5\nTransfer-Encoding: chunked"), 400),
        (with("Content-Length: 5\nContent-Length: 6"), 400),
        (with(&format!("x: {}", "a".repeat(20_000))), 431),
        (with(many.trim_end()), 431),
        ("nonsense".to_owned(), 400),
    ] {
        let answer = send(address, &head);
        let (begin, seen) = (&head[..head.len().min(80)], status(&answer));
        assert!(seen == expected || expected == 400 && seen == 413, "{begin}: {answer}");
    }
    assert!((400..500).contains(&status(&send(address, &long))));
    let head = send(address, "HEAD /masters HTTP/1.1\nHost: 127.0.0.1:PORT");
    assert!(status(&head) == 200 && head.ends_with("\r\n\r\n"), "{head}");
    assert_eq!(status(&send(address, &with("Accept: */*"))), 200);
}

#[test]
fn request_without_the_token_is_refused() {
    let mut access = Access::default();
    access.token = Some("secret".to_owned());
    let address = start(access);
    assert_eq!(status(&send(address, &with("Accept: */*"))), 401);
    assert_eq!(status(&send(address, &with("Authorization: Bearer secreT"))), 401);
    assert_eq!(status(&send(address, &with("Authorization: Bearer secret"))), 200);
}

#[test]
fn bind_to_a_port_in_use_is_an_error() {
    let address = start(Access::default());
    let error = Server::bind(address, Access::default()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
}

#[test]
fn page_and_files_of_bases_are_found_by_exact_path_only() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page");
    std::fs::create_dir(&page).unwrap();
    std::fs::write(page.join("index.html"), "<p>page").unwrap();
    std::fs::write(page.join("notes.txt"), "secret").unwrap();
    let path = folder.path().join("my base.pgn");
    let text = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    std::fs::write(&path, text).unwrap();
    let mut access = Access::default();
    access.origins.push("https://tool.example".to_owned());
    let mut server = Server::bind((Ipv4Addr::LOCALHOST, 0).into(), access).unwrap();
    let source = Source::open(&path, &Default::default(), &mut |_| ()).unwrap();
    let explorer = Explorer::new(vec![source]);
    let shown = server.show_page(&page, &explorer).unwrap();
    assert_eq!(shown, "/page/?src=%2Ffiles%2Fmy_base%2Fmy%2520base.pgn");
    assert!(server.show_page(folder.path(), &explorer).is_err());
    server.show_page(&page, &explorer).unwrap();
    let address = server.address();
    thread::spawn(move || server.run(explorer).unwrap());
    let get = |method: &str, path: &str, lines: &str| {
        let head = format!("{method} {path} HTTP/1.1\nHost: 127.0.0.1:PORT\n{lines}");
        send(address, head.trim_end())
    };
    let index = get("GET", "/page/?src=x", "");
    assert!(index.ends_with("<p>page") && index.contains("text/html"), "{index}");
    assert!(index.contains("content-security-policy: frame-ancestors 'none'"), "{index}");
    let file = "/files/my_base/my%20base.pgn";
    for path in ["/page/notes.txt", "/page", "/page/../my%20base.pgn", "/files/", "/files/my_base/"]
    {
        assert_eq!(status(&get("GET", path, "")), 404, "{path}");
    }
    assert!(get("GET", file, "").ends_with(text));
    let part = get("GET", file, "Range: bytes=1-5");
    assert!(part.ends_with("\r\n\r\nWhite") && part.contains("bytes 1-5/"), "{part}");
    assert_eq!(status(&part), 206);
    assert_eq!(status(&get("GET", file, "Range: bytes=1000-")), 416);
    let head = get("HEAD", file, "");
    assert!(
        head.contains("accept-ranges: bytes") && head.contains(&format!("length: {}", text.len()))
    );
    // The page asks the base itself, under the name that its files tell.
    for answer in [&head, &part] {
        assert!(answer.contains("scoresheet-answers: /my_base/\r\n"), "{answer}");
    }
    let tree = "/my_base/tree?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq+-+0+1";
    let answer = get("GET", tree, "");
    assert!(answer.contains("\"looked\":1,\"games\":1,\"white\":1"), "{answer}");
    assert!(get("GET", "/my_base/list?white=A", "").ends_with("{\"looked\":1,\"steps\":[0]}"));
    assert_eq!(status(&get("GET", tree, "Origin: https://attacker.example")), 403);
    assert_eq!(status(&get("GET", tree, "Sec-Fetch-Site: cross-site")), 403);
    assert_eq!(status(&get("POST", tree, "Content-Length: 0")), 405);
    for origin in ["https://attacker.example", "null"] {
        assert_eq!(status(&get("GET", file, &format!("Origin: {origin}"))), 403);
    }
    // A page that may read answers may not read the files.
    let granted = get("GET", file, "Origin: https://tool.example");
    assert!(!granted.contains("access-control-allow-origin"), "{granted}");
    std::fs::write(&path, "[White \"Other\"]\n\n*\n").unwrap();
    assert_eq!(status(&get("GET", file, "Range: bytes=0-3")), 503);
}
