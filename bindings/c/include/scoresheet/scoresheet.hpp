/* Scoresheet for C++17: handles that free themselves, texts as std::string_view, errors as exceptions.
 *
 * Only this header is needed beside scoresheet.h; the calls are those of the C interface, whose rules for threads
 * and lifetimes hold. A std::string_view of a Game is valid until the next read into it.
 *
 * Licensed under MIT OR Apache-2.0.
 */

#ifndef SCORESHEET_HPP
#define SCORESHEET_HPP

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scoresheet.h"

namespace scoresheet {

/* The view of a text. Empty if there is no such text. */
inline std::string_view view(ScoresheetText text) noexcept {
    return text.data == nullptr ? std::string_view{} : std::string_view{text.data, text.length};
}

/* A call failed. */
class Error : public std::runtime_error {
public:
    explicit Error(const ScoresheetError *error)
        : std::runtime_error(std::string(view(scoresheet_error_message(error)))),
          status_(scoresheet_error_status(error)),
          file_(view(scoresheet_error_file(error))),
          part_(view(scoresheet_error_part(error))),
          place_(scoresheet_error_place(error)) {}

    Error(ScoresheetStatus status, const std::string &message)
        : std::runtime_error(message), status_(status), place_(scoresheet_error_place(nullptr)) {}

    ScoresheetStatus status() const noexcept { return status_; }
    /* The file that was named. */
    const std::string &file() const noexcept { return file_; }
    /* The file of the base to which place() refers, by its usual extension. */
    const std::string &part() const noexcept { return part_; }
    const ScoresheetPlace &place() const noexcept { return place_; }

private:
    ScoresheetStatus status_;
    std::string file_;
    std::string part_;
    ScoresheetPlace place_;
};

namespace detail {

template <typename T, void (*Free)(T *)> struct Free_ {
    void operator()(T *handle) const noexcept { Free(handle); }
};
template <typename T, void (*Free)(T *)> using Handle = std::unique_ptr<T, Free_<T, Free>>;
using ErrorHandle = Handle<ScoresheetError, scoresheet_error_free>;

/* Calls a function with a place for its error. Throws Error unless the status is ok. */
template <typename Call> void run(Call &&call) {
    ScoresheetError *made = nullptr;
    ScoresheetStatus status = call(&made);
    ErrorHandle error(made);
    if (status != SCORESHEET_STATUS_OK) {
        throw error ? Error(error.get()) : Error(status, scoresheet_status_name(status));
    }
}

} // namespace detail

/* Receives progress: units done, and units in total, if known. Returns false to stop. */
using Progress = std::function<bool(std::uint64_t done, std::optional<std::uint64_t> total)>;

namespace detail {

/* An exception of the callback stops the call, and is thrown again after it. */
struct Caller {
    const Progress &progress;
    std::exception_ptr thrown;

    static int tell(void *context, std::uint64_t done, std::uint64_t total) noexcept {
        auto *caller = static_cast<Caller *>(context);
        try {
            auto known = total == SCORESHEET_NONE ? std::nullopt
                                                  : std::optional<std::uint64_t>(total);
            return caller->progress(done, known) ? 0 : 1;
        } catch (...) {
            caller->thrown = std::current_exception();
            return 1;
        }
    }
};

template <typename Call> void run_told(const Progress &progress, Call &&call) {
    Caller caller{progress, nullptr};
    ScoresheetProgress tell = progress ? &Caller::tell : nullptr;
    try {
        run([&](ScoresheetError **error) { return call(tell, &caller, error); });
    } catch (const Error &) {
        if (caller.thrown) {
            std::rethrow_exception(caller.thrown);
        }
        throw;
    }
}

} // namespace detail

class Options {
public:
    Options() : handle_(scoresheet_options_new()) {}

    Options &set(const std::string &name, const std::string &value) {
        detail::run([&](ScoresheetError **error) {
            return scoresheet_options_set(handle_.get(), name.c_str(), value.c_str(), error);
        });
        return *this;
    }

    const ScoresheetOptions *get() const noexcept { return handle_.get(); }

private:
    detail::Handle<ScoresheetOptions, scoresheet_options_free> handle_;
};

class Filter {
public:
    Filter() : handle_(scoresheet_filter_new()) {}

    Filter &add(const std::string &name, const std::string &value) {
        detail::run([&](ScoresheetError **error) {
            return scoresheet_filter_add(handle_.get(), name.c_str(), value.c_str(), error);
        });
        return *this;
    }

    /* Selects only games with these numbers, from zero. */
    Filter &only(const std::vector<std::uint64_t> &numbers) {
        detail::run([&](ScoresheetError **error) {
            return scoresheet_filter_only_games(handle_.get(), numbers.data(), numbers.size(),
                                                error);
        });
        return *this;
    }

    const ScoresheetFilter *get() const noexcept { return handle_.get(); }

private:
    detail::Handle<ScoresheetFilter, scoresheet_filter_free> handle_;
};

class Game {
public:
    Game() : handle_(scoresheet_game_new()) {}

    static Game from_pgn(const std::string &pgn) {
        Game game;
        detail::run([&](ScoresheetError **error) {
            return scoresheet_game_from_pgn(game.get(), pgn.c_str(), error);
        });
        return game;
    }

    /* The value of a tag. Empty if the game has no such tag. */
    std::string_view tag(const char *name) { return view(scoresheet_game_tag(get(), name)); }

    std::vector<std::pair<std::string_view, std::string_view>> tags() {
        std::vector<std::pair<std::string_view, std::string_view>> all;
        ScoresheetText name, value;
        for (std::size_t index = 0;
             scoresheet_game_tag_at(get(), index, &name, &value) == SCORESHEET_STATUS_OK;
             index++) {
            all.emplace_back(view(name), view(value));
        }
        return all;
    }

    std::uint64_t number() const noexcept { return scoresheet_game_number(get()); }
    std::size_t ply_count() const noexcept { return scoresheet_game_ply_count(get()); }
    std::string_view pgn() { return view(scoresheet_game_pgn(get())); }
    std::string_view json() { return view(scoresheet_game_json(get())); }
    std::string_view fen() { return view(scoresheet_game_fen(get())); }

    std::vector<ScoresheetToken> tokens() {
        const ScoresheetToken *first = nullptr;
        std::size_t count = 0;
        detail::run([&](ScoresheetError **error) {
            return scoresheet_game_tokens(get(), &first, &count, error);
        });
        return {first, first + count};
    }

    std::string_view san(std::size_t token) { return view(scoresheet_game_san(get(), token)); }
    std::string_view uci(std::size_t token) { return view(scoresheet_game_uci(get(), token)); }
    std::string_view comment(std::uint32_t number) {
        return view(scoresheet_game_comment(get(), number));
    }

    /* The position after a token. */
    std::string fen_after(std::size_t token) {
        ScoresheetText fen;
        detail::run([&](ScoresheetError **error) {
            return scoresheet_game_fen_after(get(), token, &fen, error);
        });
        return std::string(view(fen));
    }

    ScoresheetGame *get() const noexcept { return handle_.get(); }

private:
    detail::Handle<ScoresheetGame, scoresheet_game_free> handle_;
};

class Base {
public:
    explicit Base(const std::string &path, const Options &options = {}) {
        ScoresheetBase *base = nullptr;
        detail::run([&](ScoresheetError **error) {
            return scoresheet_base_open(path.c_str(), options.get(), &base, error);
        });
        handle_.reset(base);
    }

    /* Numbers the games of a text, with progress. */
    void index(const Progress &progress = nullptr) const {
        detail::run_told(progress, [&](auto tell, void *context, ScoresheetError **error) {
            return scoresheet_base_index(get(), tell, context, error);
        });
    }

    std::uint64_t count() const {
        std::uint64_t count = 0;
        detail::run([&](ScoresheetError **error) {
            return scoresheet_base_count(get(), &count, error);
        });
        return count;
    }

    std::string_view format() const { return view(scoresheet_base_format(get())); }
    std::string_view path() const { return view(scoresheet_base_path(get())); }

    /* The numbers of the games that the filter selects. */
    std::vector<std::uint64_t> select(const Filter &filter,
                                      const Progress &progress = nullptr) const {
        ScoresheetSelection *made = nullptr;
        detail::run_told(progress, [&](auto tell, void *context, ScoresheetError **error) {
            return scoresheet_select(get(), filter.get(), tell, context, &made, error);
        });
        detail::Handle<ScoresheetSelection, scoresheet_selection_free> selection(made);
        const std::uint64_t *first = scoresheet_selection_numbers(made);
        return {first, first + scoresheet_selection_count(made)};
    }

    /* Copies the games that the filter selects to a new base. */
    ScoresheetSummary convert(const std::string &path, const Options &options = {},
                              const Filter &filter = {},
                              const Progress &progress = nullptr) const {
        ScoresheetSummary summary;
        detail::run_told(progress, [&](auto tell, void *context, ScoresheetError **error) {
            return scoresheet_convert(get(), path.c_str(), options.get(), filter.get(), tell,
                                      context, &summary, error);
        });
        return summary;
    }

    const ScoresheetBase *get() const noexcept { return handle_.get(); }

private:
    detail::Handle<ScoresheetBase, scoresheet_base_free> handle_;
};

/* Reads games by number, on one thread. It may outlive its base. */
class Reader {
public:
    explicit Reader(const Base &base) {
        ScoresheetReader *reader = nullptr;
        detail::run([&](ScoresheetError **error) {
            return scoresheet_reader_new(base.get(), &reader, error);
        });
        handle_.reset(reader);
    }

    /* Reads the tags of a game, from the index where the format has one. */
    void header(std::uint64_t number, Game &into) {
        detail::run([&](ScoresheetError **error) {
            return scoresheet_reader_header(handle_.get(), number, into.get(), error);
        });
    }

    /* Reads a game. Returns the error of a damaged game, whose readable part is in `into`. */
    std::optional<Error> game(std::uint64_t number, Game &into) {
        try {
            detail::run([&](ScoresheetError **error) {
                return scoresheet_reader_game(handle_.get(), number, into.get(), error);
            });
        } catch (const Error &error) {
            if (error.status() != SCORESHEET_STATUS_DAMAGED) {
                throw;
            }
            return error;
        }
        return std::nullopt;
    }

private:
    detail::Handle<ScoresheetReader, scoresheet_reader_free> handle_;
};

} // namespace scoresheet

#endif
