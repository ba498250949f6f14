// SPDX-License-Identifier: GPL-3.0-or-later
// A log in any format, in pieces of any size: the first byte picks the format, the second the size.
#include "models/logs/log_reader.h"
#include "models/logs/statement_literals.h"

#include <cstdint>
#include <cstdlib>

using namespace idemdesk::models;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace {

QList<QByteArray> idsOf(LogFormat format, QByteArrayView log, qsizetype piece)
{
    QList<QByteArray> ids;
    LogReader reader(format, [&ids](const LogEvent &event) {
        if (event.id.isEmpty()) {
            std::abort();
        }
        ids.append(event.id);
    });
    for (qsizetype at = 0; at < log.size(); at += piece) {
        reader.feed(log.sliced(at, std::min(piece, log.size() - at)));
    }
    reader.finish();
    const LogCounts &counts = reader.counts();
    if (counts.events != ids.size() || counts.bytes != log.size() || counts.records > counts.lines
        || counts.unreadKept.size() > LogReader::kMostUnread) {
        std::abort();
    }
    return ids;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size < 2) {
        return 0;
    }
    static constexpr LogFormat kFormats[]
        = { LogFormat::Csv, LogFormat::Json, LogFormat::Stderr, LogFormat::Application };
    const LogFormat format = kFormats[data[0] % 4];
    const QByteArrayView log(reinterpret_cast<const char *>(data) + 2, qsizetype(size) - 2);
    if (idsOf(format, log, 1 + data[1]) != idsOf(format, log, log.size() + 1)) {
        std::abort();
    }
    (void)LogReader::detect(log);
    (void)literalsOf(QString::fromUtf8(log));
    return 0;
}
