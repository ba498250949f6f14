// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/out/byte_output.h"

#include "app/ctl/out/terminal.h"
#include "models/format/display_text.h"
#include "models/keys/private_file.h"
#include "sql/types/tr.h"

#include <QFile>
#include <cstdio>
#include <limits>
#include <utility>

namespace idemdesk::app {

namespace {

/// Passes whole lines on to a terminal, escaped. An end of line is one line feed there, also that of CSV.
class EscapingDevice final : public QIODevice
{
public:
    explicit EscapingDevice(QIODevice *out)
        : m_out(out)
    {
        open(QIODevice::WriteOnly | QIODevice::Unbuffered);
    }

    bool isSequential() const override { return true; }

    /// What has no end of line yet.
    bool finish() { return m_begun.isEmpty() || passOn(std::exchange(m_begun, {})); }

protected:
    qint64 readData(char *, qint64) override { return -1; }

    qint64 writeData(const char *data, qint64 size) override
    {
        m_begun.append(data, qsizetype(size));
        qsizetype from = 0;
        for (qsizetype end = m_begun.indexOf('\n'); end >= 0; end = m_begun.indexOf('\n', from)) {
            const bool carriage = end > from && m_begun.at(end - 1) == '\r';
            if (!passOn(m_begun.sliced(from, end - from - (carriage ? 1 : 0))) || m_out->write("\n") != 1) {
                setErrorString(m_out->errorString());
                return -1;
            }
            from = end + 1;
        }
        m_begun.remove(0, from);
        return size;
    }

private:
    bool passOn(const QByteArray &line)
    {
        const QByteArray shown
            = models::displayText(QString::fromUtf8(line), std::numeric_limits<qsizetype>::max()).toUtf8();
        return m_out->write(shown) == shown.size();
    }

    QIODevice *m_out;
    QByteArray m_begun;
};

} // namespace

sql::Result<qint64> writeToStandardOutput(const std::function<sql::Result<qint64>(QIODevice &)> &write)
{
    QFile out;
    if (!out.open(stdout, QIODevice::WriteOnly)) {
        return models::fileError(Tr::tr("standard output"), out.errorString(), false);
    }
    EscapingDevice escaping(&out);
    const bool terminal = Terminal::instance().isTerminal();
    const auto written = write(terminal ? static_cast<QIODevice &>(escaping) : out);
    if (written && (!escaping.finish() || !out.flush())) {
        return models::fileError(
            Tr::tr("standard output"), out.errorString(), out.error() == QFileDevice::ResourceError);
    }
    return written;
}

} // namespace idemdesk::app
